import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Broker } from './broker.ts';
import { listenToOutbox } from './listen-to-outbox.ts';
import { pruneEveryMs, pruneOutbox } from './prune.ts';
import { type Sent, sendOutbox } from './send-outbox.ts';
import { ensureStream } from './stream.ts';
import { waker } from './waker.ts';

export interface RelayOptions {
  /** Connections with the role of the service. A batch occupies one until the broker has responded. */
  readonly pool: Pool;
  readonly broker: Broker;
  /** The publisher, which determines the stream. */
  readonly service: string;
  readonly log: Logger;
  readonly pollMs?: number;
  readonly batch?: number;
}

export interface Relay {
  /** Starts sending soon. Commits to the outbox do the same. */
  wake(): void;
  /** Returns when the current batch is marked. */
  stop(): Promise<void>;
  /** The number of pending events, and the age of the oldest in seconds. */
  lag(): Promise<{ waiting: number; oldestSeconds: number }>;
}

const lagQuery = `
  select count(*)::int as waiting,
         coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as "oldestSeconds"
  from outbox where published_at is null`;

/**
 * Publishes the events in the outbox to the broker. Any number of instances may run it: one at a time works on an
 * outbox, and another takes over if it stops. While the broker or the database is unavailable, rows wait.
 */
export function startRelay(options: RelayOptions): Relay {
  const { pool, broker, log } = options;
  const waking = waker();
  // An idle connection that is lost emits an error, which would end the process without a handler. It stays after
  // the relay has stopped, because the pool does too.
  pool.on('error', () => {});
  const listening = listenToOutbox(pool, waking.wake, log);
  const unsubscribe = broker.onConnect(waking.wake);
  const pruning = setInterval(
    () => pruneOutbox(pool).catch((error) => log.error({ err: error }, 'the outbox cannot be pruned')),
    pruneEveryMs,
  ).unref();
  const stopping = new AbortController();
  const running = sendUntilStopped(options, waking, stopping.signal);
  return {
    wake: waking.wake,
    async stop() {
      stopping.abort();
      waking.wake();
      clearInterval(pruning);
      unsubscribe();
      await Promise.all([running, listening.stop()]);
    },
    async lag() {
      const { rows } = await pool.query<{ waiting: number; oldestSeconds: number }>(lagQuery);
      return rows[0] ?? { waiting: 0, oldestSeconds: 0 };
    },
  };
}

async function sendUntilStopped(
  { pool, broker, service, log, pollMs = 250, batch = 500 }: RelayOptions,
  { clear, wait }: ReturnType<typeof waker>,
  stopping: AbortSignal,
) {
  let hasStream = false;
  let failing = false;

  const send = async (): Promise<Sent> => {
    if (!broker.connected()) return { rows: 0, failure: undefined };
    // Also if nothing is pending, because only the publisher may create it, and consumers wait for it.
    if (!hasStream) await ensureStream(broker, service);
    hasStream = true;
    if (!(await hasPending(pool))) return { rows: 0, failure: undefined };
    return sendOutbox({ pool, broker, service, batch });
  };
  const report = (failure: unknown) => {
    // A broker without its data has no stream, and responds like one that is unavailable.
    if (failure) hasStream = false;
    if (failure && !failing) log.error({ err: failure, service }, 'events wait because they cannot be sent');
    if (!failure && failing) log.info({ service }, 'events are being sent again');
    failing = Boolean(failure);
  };

  while (!stopping.aborted) {
    clear();
    const { rows, failure } = await send().catch((error): Sent => ({ rows: 0, failure: error }));
    report(failure);
    if (failure) await wait(Math.max(pollMs, 1_000));
    else if (rows < batch) await wait(pollMs);
  }
}

/** A cheap check before the lock is acquired, because mostly nothing is pending. */
async function hasPending(pool: Pool) {
  const { rowCount } = await pool.query('select from outbox where published_at is null limit 1');
  return Boolean(rowCount);
}
