import { allRecords, type Page, type Query } from './pages.ts';
import { wait } from './retry.ts';
import type { CallOptions } from './send.ts';

export interface FollowOptions extends Pick<CallOptions, 'signal'> {
  /** The cursor of an earlier change, or a time; without it, all records come first. */
  readonly since?: string;
  /** How long to wait at the end of the list before it is read again; 30 s by default. */
  readonly everyMs?: number;
}

/** A record as it was read after it was added or changed. */
export interface Change<One> {
  readonly record: One;
  /** Pass it as `since` once everything up to this record has been processed. */
  readonly cursor: string;
}

type ReadPage = (query: Query, options: CallOptions) => Promise<Page>;

/**
 * How much later than its `modified_at` a record may appear: a write may take a minute, and clocks may differ by another minute.
 */
const overlapMs = 120_000;

/**
 * Yields the records of a list whenever they are added or changed, indefinitely, in the order of their times. After a restart, an
 * unchanged record may be repeated. A record to which the user has just been given access is not shown until it changes.
 */
export async function* changes(
  query: Query,
  { since, everyMs = 30_000, signal }: FollowOptions,
  readPage: ReadPage,
): AsyncGenerator<Change<Query>, void, undefined> {
  const isNew = newRecords();
  let position = since === undefined ? undefined : timeIn(since);
  for (;;) {
    let began: number | undefined;
    const onResponse: CallOptions['onResponse'] = ({ headers }) => {
      began ??= Date.parse(headers.get('date') ?? '') || undefined;
    };
    const pageOf = (asked: Query) => readPage(asked, { onResponse, ...(signal && { signal }) });
    for await (const record of allRecords(pollOf(query, position), pageOf)) {
      const time = Date.parse(String(record.modified_at));
      // Not beyond the start of the poll: a record that is written meanwhile may belong on a page that has already been read.
      const reached = Math.min(time, began ?? time);
      position = Math.max(position ?? reached, reached);
      if (isNew(record, reached, position - overlapMs))
        yield { record, cursor: new Date(position).toISOString() };
    }
    await wait(everyMs, signal);
  }
}

function timeIn(since: string): number {
  const time = Date.parse(since);
  if (Number.isNaN(time))
    throw new TypeError('"since" must be a cursor, or a time such as 2026-03-01T09:00:00Z.');
  return time;
}

function pollOf({ $select, ...query }: Query, position: number | undefined): Query {
  for (const name of ['$sort', '$skip', '$after', 'modified_at'])
    if (query[name] !== undefined)
      throw new TypeError(`"${name}" is not allowed: changes come in the order of "modified_at".`);
  return {
    ...query,
    ...(position !== undefined && { modified_at: { $gte: new Date(position - overlapMs).toISOString() } }),
    ...($select !== undefined && { $select: [...new Set([$select, 'id', 'modified_at'].flat())] }),
    $sort: { modified_at: 1 },
  };
}

/** Detects whether a record differs from the one last read with its id. Two changes within a millisecond have the same time. */
function newRecords() {
  const known = new Map<unknown, { readonly time: number; readonly content: string }>();
  return (record: Query, time: number, since: number) => {
    const content = JSON.stringify(record);
    const isKnown = known.get(record.id)?.content === content;
    known.delete(record.id);
    known.set(record.id, { time, content });
    // They are in the order of their times, and later polls read no earlier ones.
    for (const [id, one] of known) {
      if (one.time >= since) break;
      known.delete(id);
    }
    return !isKnown;
  };
}
