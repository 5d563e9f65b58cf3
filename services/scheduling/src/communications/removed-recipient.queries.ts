import { type Query, queryIds } from '@crm/data';

/** Makes a worker remove the remaining messages to a removed contact. */
export async function noteRecipient(query: Query, contactId: number, now: Date): Promise<void> {
  await query('insert into removed_recipients values ($1::int, $2::timestamptz) on conflict do nothing', [
    contactId,
    now.toISOString(),
  ]);
}

/** Removed contacts that may still have messages. */
export const removedRecipients = (query: Query): Promise<number[]> =>
  queryIds(query, 'select id from removed_recipients order by removed_at, id', []);

export async function deleteRecipient(query: Query, contactId: number): Promise<void> {
  await query('delete from removed_recipients where id = $1::int', [contactId]);
}
