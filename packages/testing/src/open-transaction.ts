import type { Database } from '@crm/data';

interface OpenTransaction extends AsyncDisposable {
  commit(): Promise<void>;
  /** Also happens at the end of the test's block if the transaction is still open then. */
  rollback(): Promise<void>;
}

/** Runs a statement in a transaction that stays open, so that others wait for what it has locked. */
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
    await client.query(how);
    client.release();
  };
  await client.query('begin');
  await client.query(sql, [...values]);
  return {
    commit: () => end('commit'),
    rollback: () => end('rollback'),
    [Symbol.asyncDispose]: () => end('rollback'),
  };
}
