import type { Pool, PoolClient } from 'pg';
import { isRepublishing } from './republish.ts';

/**
 * The key is derived from the table, so that services in one database have different locks. The lock belongs to the
 * transaction and not to the session: it ends with its batch, a crash releases it with the connection, and it works
 * behind a pooler that shares sessions, where a lock of a session would stay with a connection that others use.
 */
const tryLock = `pg_try_advisory_xact_lock(hashtextextended('relay of ' || 'outbox'::regclass::oid, 0))`;

/** How long a transaction with the lock may wait for the broker; a relay that hangs loses the lock. */
export const maxIdleMs = 60_000;

const begin = (idleMs = maxIdleMs) =>
  `begin; set local transaction_timeout = 0; set local idle_in_transaction_session_timeout = '${idleMs}ms'`;

/** Begins a transaction and locks the outbox. Returns false if another relay has the lock. The caller ends the transaction. */
export async function lockOutbox(client: PoolClient): Promise<boolean> {
  const [, { rows }] = await Promise.all([
    client.query(begin()),
    client.query<{ locked: boolean }>(`select ${tryLock} as locked`),
  ]);
  return rows[0]?.locked ?? false;
}

/**
 * Locks the outbox if events are pending or about to be; otherwise it locks nothing and returns undefined. A crash of
 * PostgreSQL may undo the transaction, because it does not wait for the disk.
 */
export async function lockPending(client: PoolClient, idleMs: number): Promise<boolean | undefined> {
  const [, { rows }] = await Promise.all([
    client.query(`${begin(idleMs)}; set local synchronous_commit = off`),
    client.query<{ locked: boolean | null }>(
      `select case when exists (select from outbox where published_at is null) or ${isRepublishing} then ${tryLock} end as locked`,
    ),
  ]);
  return rows[0]?.locked ?? undefined;
}

/**
 * Provides a connection for a transaction, which the work ends. After an error the connection is closed, and PostgreSQL rolls
 * back.
 */
export async function onConnection<Result>(pool: Pool, work: (client: PoolClient) => Promise<Result>) {
  const client = await pool.connect();
  // A connection lost while waiting for the broker emits an error, which would end the process without a handler. The
  // next query then fails, which is handled.
  const ignore = () => {};
  client.on('error', ignore);
  let done = false;
  try {
    const result = await work(client);
    done = true;
    return result;
  } finally {
    client.off('error', ignore);
    client.release(!done);
  }
}
