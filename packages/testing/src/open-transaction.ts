import type { Database } from '@crm/data';

interface OpenTransaction extends AsyncDisposable {
  commit(): Promise<void>;
  /** Also called at the end of the test's block if the transaction is still open. */
  rollback(): Promise<void>;
}

/** Runs a statement in a transaction that stays open, so that others wait for its locks. */
export async function openTransaction(
  { pool }: Pick<Database, 'pool'>,
  sql: string,
  values: readonly unknown[] = [],
): Promise<OpenTransaction> {
  const client = await pool.connect();
  let isOpen = true;
  const end = async (how: 'commit' | 'rollback') => {
    if (!isOpen) return;
    isOpen = false;
    // Closes the connection, which may be broken.
    await client.query(how).finally(() => client.release(true));
  };
  try {
    // On a slow machine, a test may need longer than the limit on transactions in production.
    await client.query(
      'begin; set local idle_in_transaction_session_timeout = 0; set local transaction_timeout = 0',
    );
    await client.query(sql, [...values]);
  } catch (error) {
    client.release(true);
    throw error;
  }
  return {
    commit: () => end('commit'),
    rollback: () => end('rollback'),
    [Symbol.asyncDispose]: () => end('rollback'),
  };
}
