import { tooSlow, unavailable } from '@crm/contract';
import { Pool, type PoolClient, type PoolConfig } from 'pg';
import type { Row } from './database.ts';
import { giveUpSilent } from './give-up-silent.ts';

/** For how long a client's read may take. */
export const maxReadMs = 1_000;

/** PostgreSQL has ended the statement, because it was asked to or because of its own timeout. */
const canceled = '57014';

const outOfTime = (ms: number) =>
  ms === maxReadMs
    ? tooSlow({ retryAfter: 1 })
    : unavailable({ message: 'There was not enough time for the request.', retryAfter: 1 });

/**
 * Runs statements that PostgreSQL is told to end after some time. Unlike a setting of the session this costs nothing while
 * statements are fast, and concerns no other statement of the same pool. `stopping` is for the connection that tells it,
 * so that it needs none of a pool that slow statements have filled.
 */
export function stoppableStatements(pool: Pool, stopping: PoolConfig) {
  const stopper = new Pool({ ...stopping, max: 1 });
  giveUpSilent(stopper);
  // An idle connection that is lost is replaced when the next one is needed.
  stopper.on('error', () => undefined);
  const stop = (client: PoolClient) =>
    stopper.query('select pg_cancel_backend($1)', [processIdOf(client)]).catch(() => undefined);

  const run = async (text: string, values: readonly unknown[], ms: number): Promise<readonly Row[]> => {
    const client = await pool.connect();
    let stopped: Promise<unknown> | undefined;
    const timer = setTimeout(() => {
      stopped = stop(client);
    }, ms);
    let lost: Error | undefined;
    try {
      return (await client.query<Row>(text, [...values])).rows;
    } catch (error) {
      const isCanceled = error instanceof Error && 'code' in error && error.code === canceled;
      if (!isCanceled) lost = error instanceof Error ? error : new Error(String(error));
      throw isCanceled && stopped ? outOfTime(ms) : error;
    } finally {
      clearTimeout(timer);
      // Before the connection is used again, whose next statement it could end.
      if (!lost) await stopped;
      client.release(lost);
    }
  };
  return { run, close: () => stopper.end() };
}

/** Of the server's process; pg does not declare it. */
const processIdOf = (client: PoolClient) => (client as PoolClient & { processID: number }).processID;
