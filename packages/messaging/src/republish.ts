import type { Pool } from 'pg';

/**
 * Has the relay send again what it sent since the given moment, for a broker that lost messages. The events
 * keep their ids, so receivers that had them do nothing. The broker itself drops an event that it still has
 * from the last ten minutes, which is as well: only what it lost is missing. Answers how many events go again.
 */
export async function republish(pool: Pool, { since }: { since: Date }): Promise<number> {
  const { rowCount } = await pool.query('update outbox set published_at = null where published_at >= $1', [
    since,
  ]);
  await pool.query(`select pg_notify('outbox_' || 'outbox'::regclass::oid, '')`);
  return rowCount ?? 0;
}
