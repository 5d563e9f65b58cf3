import type { Query } from '@crm/data';

/**
 * Stores when contacts were last known to be opted out of texts, or in again. In the order of their ids, so that transactions
 * with the same contacts wait for each other without a deadlock.
 */
export async function noteOptOutChange(query: Query, contactIds: readonly number[]): Promise<void> {
  await query(
    `insert into opt_out_changes (contact_id, noted_at)
     select distinct contact_id, now() from unnest($1::int[]) contact (contact_id) order by contact_id
     on conflict (contact_id) do update set noted_at = excluded.noted_at`,
    [contactIds],
  );
}
