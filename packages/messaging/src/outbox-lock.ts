import type { Pool, PoolClient } from 'pg';

/**
 * The key is derived from the table, so that services in one database have different locks. The lock belongs to the
 * transaction and not to the session: it ends with its batch, a crash releases it with the connection, and it works
 * behind a pooler that shares sessions, where a lock of a session would stay with a connection that others use.
 */
const tryLock = `select pg_try_advisory_xact_lock(hashtextextended('relay of ' || 'outbox'::regclass::oid, 0)) as locked`;

/** Longer than a batch takes with a slow broker; a relay that hangs loses the lock. */
const begin = `begin; set local idle_in_transaction_session_timeout = '60s'`;

interface Locking {
  /** Whether a crash of PostgreSQL may undo the work. It then does not wait for the disk. */
  readonly mayBeUndone?: boolean;
}

/** Runs the work in a transaction that locks the outbox. Returns undefined if another relay has the lock. */
export async function withOutboxLock<Result>(
  pool: Pool,
  work: (client: PoolClient) => Promise<Result>,
  { mayBeUndone = false }: Locking = {},
) {
  const client = await pool.connect();
  // A connection lost while waiting for the broker emits an error, which would end the process without a handler. The
  // next query then fails, which is handled.
  const ignore = () => {};
  client.on('error', ignore);
  let done = false;
  try {
    await client.query(mayBeUndone ? `${begin}; set local synchronous_commit = off` : begin);
    const { rows } = await client.query<{ locked: boolean }>(tryLock);
    const result = rows[0]?.locked ? await work(client) : undefined;
    await client.query('commit');
    done = true;
    return result;
  } finally {
    client.off('error', ignore);
    // A connection in an unknown state is closed, and PostgreSQL rolls back.
    client.release(!done);
  }
}
