import type { Query } from '@crm/data';

/**
 * The time by the database's clock: within a transaction, when it began. Codes live for so short that the
 * clocks of two instances must not decide about them.
 */
export async function databaseTime(query: Query): Promise<Date> {
  const [row] = await query('select (extract(epoch from now()) * 1000)::float8 as ms', []);
  return new Date(Number(row?.ms));
}
