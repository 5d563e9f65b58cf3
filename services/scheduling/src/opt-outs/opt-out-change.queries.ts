import type { Query } from '@crm/data';

/** Stores when contacts were last known to be opted out of texts, or in again. */
export async function noteOptOutChange(query: Query, contactIds: readonly number[]): Promise<void> {
  await query(
    `insert into opt_out_changes (contact_id, noted_at) select unnest($1::int[]), now()
     on conflict (contact_id) do update set noted_at = excluded.noted_at`,
    [contactIds],
  );
}
