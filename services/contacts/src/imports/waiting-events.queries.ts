import type { Query } from '@crm/data';

/** Whether more than so many events of the service wait to be published. */
export async function doManyEventsWait(query: Query, most: number): Promise<boolean> {
  const beyond = await query('select id from outbox where published_at is null offset $1::int limit 1', [
    most,
  ]);
  return beyond.length > 0;
}
