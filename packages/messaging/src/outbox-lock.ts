import type { Pool, PoolClient } from 'pg';

/**
 * The key is the table's own, so that services of one database do not meet. The lock is one of a transaction
 * and not of a session: it cannot outlive the batch it guards, a crash frees it with the connection, and it
 * holds behind a pooler that shares sessions between clients, where a session's lock would stay with a
 * connection that others use.
 */
const takeLock = `select pg_try_advisory_xact_lock(hashtextextended('relay of ' || 'outbox'::regclass::oid, 0)) as taken`;

/** Longer than a batch takes with a slow broker; a relay that hangs gives the lock away. */
const begin = `begin; set local idle_in_transaction_session_timeout = '60s'`;

/** Does the work in a transaction that no other relay of this outbox has; says undefined when another has it. */
export async function withOutboxLock<Result>(pool: Pool, work: (client: PoolClient) => Promise<Result>) {
  const client = await pool.connect();
  // A connection that is lost while the broker is waited for says so by an event, which ends the process when
  // nobody listens. The next query then fails, and that is handled.
  const ignore = () => {};
  client.on('error', ignore);
  let done = false;
  try {
    await client.query(begin);
    const { rows } = await client.query<{ taken: boolean }>(takeLock);
    const result = rows[0]?.taken ? await work(client) : undefined;
    await client.query('commit');
    done = true;
    return result;
  } finally {
    client.off('error', ignore);
    // A connection in an unknown state is thrown away, and PostgreSQL rolls back.
    client.release(!done);
  }
}
