import { type Query, queryRow, queryRows, storedDate } from '@crm/data';
import { z } from 'zod';
import { keptDays } from './inbound-text.queries.ts';

const Fetch = z.object({ asked_at: z.string(), since: storedDate });

/**
 * The time since which texts may have been missed: a day before the provider's list was last read, as it may show a text late.
 * The time of the latest text would be too late, because its callback may have followed a lost one; it is used only until the
 * list is first read. Limited to the time for which texts are kept, so that no older text is considered new, and not in the
 * future, where a wrong clock may have read the list.
 */
export function nextFetch(query: Query): Promise<z.output<typeof Fetch>> {
  return queryRow(
    query,
    Fetch,
    `select now()::text as asked_at, greatest(
       least(coalesce((select fetched_at from text_fetches), (select max(received_at) from inbound_texts)), now()) - interval '1 day',
       now() - interval '${keptDays - 2} days'
     ) as since`,
    [],
  );
}

/** Stores that all texts are known that the provider listed at a moment. */
export async function noteFetched(query: Query, askedAt: string): Promise<void> {
  await query(
    `insert into text_fetches (fetched_at) values ($1::timestamptz)
     on conflict (is_only) do update set fetched_at =
       case when text_fetches.fetched_at > now() then excluded.fetched_at else greatest(text_fetches.fetched_at, excluded.fetched_at) end`,
    [askedAt],
  );
}

const Known = z.object({ id: z.string() });

/** The ids of the texts that are already stored. */
export async function knownTexts(query: Query, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const known = await queryRows(query, Known, 'select id from inbound_texts where id = any($1::text[])', [
    ids,
  ]);
  return new Set(known.map(({ id }) => id));
}
