import { type Query, queryRows } from '@crm/data';
import { z } from 'zod';

const OptOut = z.object({ id: z.int(), version: z.int() });

/**
 * Stores the latest request of each kind per number, so that a repeated or late request changes nothing. Returns the
 * opt-out if it was changed.
 */
export async function recordRequest(
  query: Query,
  column: 'since' | 'ended_at',
  { number, at }: { readonly number: string; readonly at: string },
) {
  const [changed] = await queryRows(
    query,
    OptOut,
    `insert into opt_outs (number, ${column}) values ($1, $2)
     on conflict (number) do update set ${column} = excluded.${column}, version = opt_outs.version + 1
     where opt_outs.${column} is null or opt_outs.${column} < excluded.${column}
     returning id, version`,
    [number, at],
  );
  return changed;
}

/** Of two requests with the same time, the opt-out counts. */
export async function optedOutAmong(query: Query, numbers: readonly string[]): Promise<string[]> {
  const rows = await queryRows(
    query,
    z.object({ number: z.string() }),
    `select number from opt_outs
     where number = any($1::text[]) and since is not null and (ended_at is null or since >= ended_at)
     order by number`,
    [numbers],
  );
  return rows.map(({ number }) => number);
}
