import { hasRows, type Query } from '@crm/data';

/** Whether more than so many events of the service wait to be published. */
export function doManyEventsWait(query: Query, most: number): Promise<boolean> {
  return hasRows(query, 'select id from outbox where published_at is null offset $1::int limit 1', [most]);
}
