import type { EntityManager } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';

/** The interval at which expired rows are deleted. */
export const pruneEveryMs = 60 * 60_000;

/** Published events are kept longer than their stream keeps them, so that a broker that lost its data gets all of them again. */
const deletePublished = `
  delete from outbox where id in (
    select id from outbox where published_at < now() - interval '15 days' order by published_at limit 5000)`;

/** Twice as long as a stream keeps a message: older ones can no longer be redelivered. */
const deleteReceived = `
  delete from inbox where (consumer, event_id) in (
    select consumer, event_id from inbox where received_at < now() - interval '28 days' order by received_at limit 5000)`;

/** In batches, so that no statement holds its locks for long. */
export async function pruneOutbox(pool: Pool): Promise<void> {
  while ((await pool.query(deletePublished)).rowCount) {}
}

export async function pruneInbox(em: EntityManager): Promise<void> {
  while ((await em.execute<{ affectedRows: number }>(deleteReceived, [], 'run')).affectedRows) {}
  await em.execute("delete from inbox_failures where failed_at < now() - interval '28 days'");
}
