import { streamDays } from '@crm/events';
import type { ClientBase } from 'pg';
import { lowestId } from './partitioned-tables.ts';

/**
 * Whether published events still have to become pending again. Until all have, nothing is sent, so that their order is
 * preserved.
 */
export const isRepublishing = 'exists (select from published_streams where republish_from is not null)';

/**
 * Makes the relay republish what it has published since the given time, for a broker that lost messages. The events keep their
 * ids, so consumers ignore those they have handled, and the broker drops those of the last ten minutes that it still has.
 * Returns the number of events. Lifts the time limits of the connection, because counting the events takes long.
 */
export async function republish(client: ClientBase, { since }: { since: Date }): Promise<number> {
  await client.query('set statement_timeout = 0; set transaction_timeout = 0');
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from outbox where published_at >= $1 and ${isRepublishable}`,
    [since],
  );
  await client.query('update published_streams set republish_from = least(republish_from, $1)', [since]);
  await client.query(`select pg_notify('outbox_' || 'outbox'::regclass::oid, '')`);
  return rows[0]?.count ?? 0;
}

/** The first ones that were published. The times are texts, because a date would lose their microseconds. */
interface Portion {
  readonly from: string;
  /** The time of the last one; null if there is none behind it. */
  readonly to: string | null;
}

const portionQuery = `
  select republish_from::text as "from", (
    select published_at from outbox where published_at >= republish_from order by published_at offset $1 limit 1
  )::text as "to"
  from published_streams where republish_from is not null`;

/**
 * Whether an event may be published again: in the two weeks after it was written, or for the first time. Otherwise a broker that
 * loses its data again and again would get it for so long that consumers have forgotten that they handled it.
 */
export const isRepublishable = `event_id >= ${lowestId(`least(now() - interval '${streamDays} days', created_at - interval '1 day')`)}`;

/** Assignments to an event that becomes pending again: it waits since then, whenever it was written. */
export const pendingAgain = 'published_at = null, created_at = clock_timestamp()';

/**
 * Makes the next events pending that are to be published again: as many as given, and those of the same moment as the last one.
 * Returns whether these were all. The outbox has to be locked.
 */
export async function markPortion(client: ClientBase, count: number): Promise<boolean> {
  const { rows } = await client.query<Portion>(portionQuery, [count - 1]);
  const [portion] = rows;
  if (!portion) return true;
  const { from, to } = portion;
  await client.query(
    `update outbox set ${pendingAgain}
     where published_at >= $1 and published_at <= coalesce($2::timestamptz, 'infinity') and ${isRepublishable}`,
    [from, to],
  );
  await client.query(
    `update published_streams set republish_from = $1::timestamptz + interval '1 microsecond'
     where republish_from is not null`,
    [to],
  );
  return to === null;
}
