import { type Query, queryRows } from '@crm/data';
import { z } from 'zod';

/** Locks all sub-accounts of a broker, in the order in which all lock them. */
export async function lockSubAccounts(query: Query, brokerId: number): Promise<void> {
  await query('select from sub_accounts where broker_user_id = $1 order by id for update', [brokerId]);
}

const Removed = z.object({ id: z.int(), version: z.int(), broker_user_id: z.int(), user_id: z.int() });

/** Deletes all sub-accounts of a broker, which may be thousands, and returns them in the order of their ids. */
export function deleteSubAccounts(query: Query, brokerId: number) {
  return queryRows(
    query,
    Removed,
    `with removed as (
       delete from sub_accounts where broker_user_id = $1 returning id, version, broker_user_id, user_id
     )
     select * from removed order by id`,
    [brokerId],
  );
}
