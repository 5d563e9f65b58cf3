import type { Query } from '@crm/data';

/**
 * In how many milliseconds the first row selected by a statement with `due_at` is due; undefined if there is none. The
 * statement may leave out rows that are due in more than half a minute, because it is run again by then.
 */
export async function dueIn(query: Query, rows: string): Promise<number | undefined> {
  const [first] = await query(
    `select (extract(epoch from min(due_at) - now()) * 1000)::float8 as ms from (${rows}) waiting`,
    [],
  );
  return typeof first?.ms === 'number' ? first.ms : undefined;
}
