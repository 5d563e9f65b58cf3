import { type Query, queryRow } from '@crm/data';
import { z } from 'zod';

const Now = z.object({ ms: z.number() });

/**
 * The time by the database's clock; inside a transaction, the time at which it began. Codes expire so soon that
 * differences between the clocks of two instances would matter.
 */
export async function databaseTime(query: Query): Promise<Date> {
  const { ms } = await queryRow(query, Now, 'select (extract(epoch from now()) * 1000)::float8 as ms', []);
  return new Date(ms);
}
