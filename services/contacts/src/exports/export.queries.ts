import { type Query, queryRow } from '@crm/data';
import { z } from 'zod';

const Most = z.object({ most: z.int() });

/** How many addresses one of some contacts has at most, from an index alone. */
export async function mostAddresses(query: Query, contactIds: readonly number[]): Promise<number> {
  const { most } = await queryRow(
    query,
    Most,
    `select coalesce(max(addresses), 0) as most from (
       select count(*)::int as addresses from addresses where contact_id = any($1::int[]) group by contact_id) each_one`,
    [contactIds],
  );
  return most;
}
