import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Broker } from './broker.ts';
import { listenToOutbox } from './listen.ts';
import { pruneEveryMs, pruneOutbox } from './prune.ts';
import { type Sent, sendOutbox } from './send-outbox.ts';
import { ensureStream } from './stream.ts';
import { waker } from './waker.ts';

export interface RelayOptions {
  /** Connections as the service's role. A batch holds one for as long as the broker takes. */
  readonly pool: Pool;
  readonly broker: Broker;
  /** The publisher, and so the stream. */
  readonly service: string;
  readonly log: Logger;
  readonly pollMs?: number;
  readonly batch?: number;
}

export interface Relay {
  /** Sends soon. Commits do it by themselves. */
  wake(): void;
  /** Returns when the batch under way is marked. */
  stop(): Promise<void>;
  /** How many events wait, and for how many seconds the oldest has. */
  lag(): Promise<{ waiting: number; oldestSeconds: number }>;
}

const lagQuery = `
  select count(*)::int as waiting,
         coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as "oldestSeconds"
  from outbox where published_at is null`;

/**
 * Sends what services have recorded to the broker. Any number of instances may run it: of each outbox one at
 * a time is at work, and another goes on when it is gone. While the broker or the database is away rows wait.
 */
export function startRelay({ pool, broker, service, log, pollMs = 250, batch = 500 }: RelayOptions): Relay {
  const { wake, clear, wait } = waker();
  let stopped = false;
  let streamKnown = false;
  let failing = false;

  // An idle connection that is lost says so by an event, which ends the process when nobody listens; hence
  // this stays after the relay has stopped.
  pool.on('error', () => {});
  const listening = listenToOutbox(pool, wake, log);
  const forgetConnect = broker.onConnect(wake);
  const pruning = setInterval(
    () => pruneOutbox(pool).catch((error) => log.error({ err: error }, 'the outbox cannot be pruned')),
    pruneEveryMs,
  ).unref();

  async function send(): Promise<Sent> {
    if (!broker.connected() || !(await somethingWaits(pool))) return { rows: 0, failure: undefined };
    if (!streamKnown) await ensureStream(broker, service);
    streamKnown = true;
    return sendOutbox({ pool, broker, service, batch });
  }

  function note(failure: unknown) {
    // A broker that was made anew has no stream, and says the same as one that is away.
    if (failure) streamKnown = false;
    if (failure && !failing) log.error({ err: failure, service }, 'events wait because they cannot be sent');
    if (!failure && failing) log.info({ service }, 'events are sent again');
    failing = Boolean(failure);
  }

  async function run() {
    while (!stopped) {
      clear();
      const { rows, failure } = await send().catch((error): Sent => ({ rows: 0, failure: error }));
      note(failure);
      if (failure) await wait(Math.max(pollMs, 1_000));
      else if (rows < batch) await wait(pollMs);
    }
  }

  const running = run();
  return {
    wake,
    async stop() {
      stopped = true;
      wake();
      clearInterval(pruning);
      forgetConnect();
      await Promise.all([running, listening.stop()]);
    },
    async lag() {
      const { rows } = await pool.query<{ waiting: number; oldestSeconds: number }>(lagQuery);
      return rows[0] ?? { waiting: 0, oldestSeconds: 0 };
    },
  };
}

/** Asked before the lock is taken, because mostly nothing waits and asking is cheap. */
async function somethingWaits(pool: Pool) {
  const { rowCount } = await pool.query('select from outbox where published_at is null limit 1');
  return Boolean(rowCount);
}
