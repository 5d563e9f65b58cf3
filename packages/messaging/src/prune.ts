import type { EntityManager } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';

/** How often rows past their time are looked for. */
export const pruneEveryMs = 60 * 60_000;

/** Sent events are kept for a week, so that a broker that lost its store can be told again. */
const forgetSent = `
  delete from outbox where id in (
    select id from outbox where published_at < now() - interval '7 days' order by published_at limit 5000)`;

/** Twice as long as a stream keeps a message: what is forgotten can no longer come again. */
const forgetReceived = `
  delete from inbox where (consumer, event_id) in (
    select consumer, event_id from inbox where received_at < now() - interval '28 days' order by received_at limit 5000)`;

/** In portions, so that no single statement holds its locks for long. */
export async function pruneOutbox(pool: Pool): Promise<void> {
  while ((await pool.query(forgetSent)).rowCount) {}
}

export async function pruneInbox(em: EntityManager): Promise<void> {
  while ((await em.execute<{ affectedRows: number }>(forgetReceived, [], 'run')).affectedRows) {}
}
