import type { Query } from '@crm/data';

/**
 * In how many milliseconds the first of the rows is due that a statement selects with `due_at`; undefined if there is none. It
 * may leave out those that are due later than in half a minute, after which it is asked again.
 */
export async function dueIn(query: Query, rows: string): Promise<number | undefined> {
  const [first] = await query(
    `select (extract(epoch from min(due_at) - now()) * 1000)::float8 as ms from (${rows}) waiting`,
    [],
  );
  return typeof first?.ms === 'number' ? first.ms : undefined;
}
