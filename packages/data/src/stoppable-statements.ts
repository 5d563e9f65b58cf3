import { errorCode, tooSlow, unavailable } from '@crm/contract';
import type { Pool, PoolClient } from 'pg';
import { cancelStatement } from './cancel-statement.ts';
import type { Row } from './query.ts';

/** How long a client's read may take. */
export const maxReadMs = 1_000;

/** PostgreSQL has ended the statement, because it was asked to or because of its own timeout. */
const canceled = '57014';

async function outOfTime(client: PoolClient, ms: number, cause: unknown) {
  if (ms !== maxReadMs) return unavailable({ message: 'The request took too long.', retryAfter: 1, cause });
  return (await isAnyTableLocked(client))
    ? unavailable({ retryAfter: 1, cause: new Error('A read was stopped while a table was locked.') })
    : tooSlow({ retryAfter: 1, cause });
}

/** The only locks that reads wait for. They also wait behind sessions that are waiting for one. */
const locked = `select exists (
    select from pg_locks l join pg_class c on c.oid = l.relation
    where l.mode = 'AccessExclusiveLock' and l.pid <> pg_backend_pid()
      and l.database = (select oid from pg_database where datname = current_database())
      and c.relnamespace = (select oid from pg_namespace where nspname = current_schema())) as is_locked`;

/**
 * Whether another session has or wants an exclusive lock on a table or index of the service. Asked after a statement has ended,
 * on its own connection: the others may all be waiting, and a pooler does not tell which session would have to be looked at
 * before that.
 */
async function isAnyTableLocked(client: PoolClient): Promise<boolean> {
  const { rows } = await client
    .query<{ is_locked: boolean }>(locked)
    .catch(() => ({ rows: [{ is_locked: false }] }));
  return rows[0]?.is_locked ?? false;
}

/**
 * Runs statements with a time limit, after which PostgreSQL is told to cancel them. Unlike a setting of the session this costs
 * nothing while statements are fast, and affects no other statement of the same pool.
 */
export function stoppableStatements(pool: Pool) {
  return async (text: string, values: readonly unknown[], ms: number): Promise<readonly Row[]> => {
    const client = await pool.connect();
    let stopped: Promise<unknown> | undefined;
    const timer = setTimeout(() => {
      stopped = cancelStatement(pool, client);
    }, ms);
    let lost: Error | undefined;
    try {
      return (await client.query<Row>(text, [...values])).rows;
    } catch (error) {
      const isCanceled = errorCode(error) === canceled;
      if (!isCanceled) lost = error instanceof Error ? error : new Error(String(error));
      if (!isCanceled || !stopped) throw error;
      await stopped;
      throw await outOfTime(client, ms, error);
    } finally {
      clearTimeout(timer);
      // Before the connection is used again, whose next statement it could end.
      if (!lost) await stopped;
      client.release(lost);
    }
  };
}
