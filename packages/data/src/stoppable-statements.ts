import { errorCode, tooSlow, unavailable } from '@crm/contract';
import type { Pool } from 'pg';
import { cancelStatement } from './cancel-statement.ts';
import type { Row } from './query.ts';

/** For how long a client's read may take. */
export const maxReadMs = 1_000;

/** PostgreSQL has ended the statement, because it was asked to or because of its own timeout. */
const canceled = '57014';

const outOfTime = (ms: number, cause: unknown) =>
  ms === maxReadMs
    ? tooSlow({ retryAfter: 1, cause })
    : unavailable({ message: 'The request took too long.', retryAfter: 1, cause });

/**
 * Runs statements that PostgreSQL is told to end after some time. Unlike a setting of the session this costs nothing while
 * statements are fast, and concerns no other statement of the same pool.
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
      throw isCanceled && stopped ? outOfTime(ms, error) : error;
    } finally {
      clearTimeout(timer);
      // Before the connection is used again, whose next statement it could end.
      if (!lost) await stopped;
      client.release(lost);
    }
  };
}
