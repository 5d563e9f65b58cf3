import { Refused } from '@crm/contract';
import { BrokenCsv, type CsvRow } from '../csv/csv-rows.ts';
import type { Acting } from '../system/acting-for.ts';
import type { Columns } from './columns.ts';
import { findKnown } from './find-known.ts';
import { groupsOf, inParallel } from './groups.ts';
import { type KnownContacts, knownContacts } from './known-contacts.ts';
import { fieldAt, type HotnessNamed, type ReadyRow, type RowError, readRow } from './read-row.ts';
import { keysOf, type Match } from './same-person.ts';
import type { Writer } from './writer.ts';

export interface ImportRun {
  readonly acting: Acting;
  readonly columns: Columns;
  readonly hotnessNamed: HotnessNamed;
  readonly writer: Writer;
  readonly dryRun: boolean;
  readonly match: Match;
  readonly duplicates: 'update' | 'skip';
  /** Throws when the import was called off. */
  mayContinue(): void;
  /** Called after each chunk with what became of its rows, also when the chunk was broken off. */
  tell(outcomes: readonly Outcome[], end: number): void;
}

export type Outcome =
  | { readonly kind: 'created' | 'updated' | 'skipped'; readonly id: number }
  | { readonly kind: 'failed'; readonly errors: readonly RowError[] };

/** Rows whose duplicates are looked up at once. */
const chunkRows = 250;

/** Enough to keep the service busy, few enough to leave room for people who work meanwhile. */
const requestsAtOnce = 8;

export async function importRows(run: ImportRun, rows: AsyncIterable<CsvRow>): Promise<void> {
  // The service knows what a chunk has written when the next one asks; of a dry run only we know it.
  const kept = run.dryRun ? knownContacts() : undefined;
  for await (const chunk of chunksOf(rows)) await importChunk(run, kept ?? knownContacts(), chunk);
}

/** Also the rows before the place where the file is broken make a chunk. */
async function* chunksOf(rows: AsyncIterable<CsvRow>): AsyncGenerator<readonly CsvRow[]> {
  let chunk: CsvRow[] = [];
  let broken: BrokenCsv | undefined;
  try {
    for await (const row of rows) {
      chunk.push(row);
      if (chunk.length < chunkRows) continue;
      yield chunk;
      chunk = [];
    }
  } catch (error) {
    if (!(error instanceof BrokenCsv)) throw error;
    broken = error;
  }
  if (chunk.length > 0) yield chunk;
  if (broken) throw broken;
}

async function importChunk(run: ImportRun, known: KnownContacts, rows: readonly CsvRow[]): Promise<void> {
  const outcomes: Outcome[] = [];
  try {
    const ready = rows.flatMap((row) => {
      const read = readRow(row, run.columns, run.hotnessNamed);
      if ('draft' in read) return [read];
      outcomes.push({ kind: 'failed', errors: read });
      return [];
    });
    for (const contact of await findKnown(run.acting, ready, run.match)) known.meet(contact);
    let groups = groupsOf(ready, ({ draft }) => known.tokens(keysOf(draft, run.match)));
    for (let attempt = 0; groups.length > 0; attempt++) {
      groups = await importGroups(run, known, groups, { attempt, outcomes });
    }
  } finally {
    run.tell(outcomes, rows.at(-1)?.end ?? 0);
  }
}

/**
 * Answers the groups that have to be done again: a repeated import is told of the contact that it added earlier,
 * also when somebody has removed that contact since.
 */
async function importGroups(
  run: ImportRun,
  known: KnownContacts,
  groups: readonly ReadyRow[][],
  { attempt, outcomes }: { readonly attempt: number; readonly outcomes: Outcome[] },
): Promise<readonly ReadyRow[][]> {
  const done = new Map(groups.map((group) => [group, [] as Outcome[]]));
  try {
    await inParallel(groups, run.dryRun ? 1 : requestsAtOnce, async (group) => {
      for (const row of group) done.get(group)?.push(await importRow(run, known, row, attempt));
    });
    const ids = [...done.values()].flat().flatMap((outcome) => ('id' in outcome ? [outcome.id] : []));
    const gone = await run.writer.gone([...new Set(ids)]);
    for (const id of gone) known.forget(id);
    const again = groups.filter((group) =>
      done.get(group)?.some((outcome) => 'id' in outcome && gone.has(outcome.id)),
    );
    for (const group of again) done.delete(group);
    return again;
  } finally {
    outcomes.push(...[...done.values()].flat());
  }
}

async function importRow(
  { writer, columns, duplicates, match, mayContinue }: ImportRun,
  known: KnownContacts,
  row: ReadyRow,
  attempt: number,
): Promise<Outcome> {
  mayContinue();
  const keys = keysOf(row.draft, match);
  const same = known.match(keys);
  if (same && duplicates === 'skip') return { kind: 'skipped', id: same.id };
  try {
    if (!same) {
      const { id, address, wasThere } = await writer.create(row, attempt);
      known.meet({ id, keys, address });
      return { kind: wasThere ? 'skipped' : 'created', id };
    }
    same.address = (await writer.change(same, row)).address;
    known.change(same, keys);
    return { kind: 'updated', id: same.id };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { kind: 'failed', errors: errorsOf(error, row.line, columns) };
  }
}

function errorsOf({ errors, message }: Refused, line: number, { used }: Columns): RowError[] {
  const named = Object.entries(errors).map(([path, reason]) => {
    const field = fieldAt(path.split('.'));
    return { line, column: used.find((column) => column.field === field)?.header ?? '', reason };
  });
  return named.length > 0 ? named : [{ line, column: '', reason: message }];
}
