import { type Query, queryIds } from '@crm/data';

/** Has a worker remove the rest of what was sent to a removed contact. */
export async function noteRecipient(query: Query, contactId: number, now: Date): Promise<void> {
  await query('insert into removed_recipients values ($1::int, $2::timestamptz) on conflict do nothing', [
    contactId,
    now.toISOString(),
  ]);
}

/** Removed contacts to whom something may still have been sent. */
export const removedRecipients = (query: Query): Promise<number[]> =>
  queryIds(query, 'select id from removed_recipients order by removed_at, id', []);

export async function deleteRecipient(query: Query, contactId: number): Promise<void> {
  await query('delete from removed_recipients where id = $1::int', [contactId]);
}
