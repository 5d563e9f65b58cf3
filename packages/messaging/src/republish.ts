import { DatabaseError, type Pool } from 'pg';

/**
 * Makes the relay publish again what it has published since the given time, for a broker that lost messages. The events
 * keep their ids, so consumers ignore those they have handled, and the broker drops those of the last ten minutes that
 * it still has. Returns the number of events.
 */
export async function republish(pool: Pool, { since }: { since: Date }): Promise<number> {
  const rowCount = await markAsPending(pool, since);
  await pool.query(`select pg_notify('outbox_' || 'outbox'::regclass::oid, '')`);
  return rowCount ?? 0;
}

/** An event that somebody else has marked meanwhile is in another partition, which PostgreSQL does not follow. */
const movedMeanwhile = '40001';

async function markAsPending(pool: Pool, since: Date): Promise<number | null> {
  for (;;) {
    try {
      return (await pool.query('update outbox set published_at = null where published_at >= $1', [since]))
        .rowCount;
    } catch (error) {
      if (!(error instanceof DatabaseError && error.code === movedMeanwhile)) throw error;
    }
  }
}
