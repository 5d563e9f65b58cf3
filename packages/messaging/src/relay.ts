import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Broker } from './broker.ts';
import { checkStream } from './check-stream.ts';
import type { Commits } from './commits.ts';
import type { Session } from './connection.ts';
import { pause } from './pause.ts';
import { type Sent, sendOutbox } from './send-outbox.ts';
import { type Waker, waker } from './waker.ts';

export interface RelayOptions {
  /** Connections with the role of the service. A batch occupies one until the broker has responded. */
  readonly pool: Pool;
  readonly broker: Broker;
  readonly commits: Commits;
  /** The publisher, which determines the stream. */
  readonly service: string;
  readonly log: Logger;
  readonly batch?: number;
  /** How many events that the broker has lost become pending at once. */
  readonly portion?: number;
}

/** The number of pending events, the age of the oldest in seconds, and when the broker last had lost events. */
export interface Lag {
  readonly waiting: number;
  readonly oldestSeconds: number;
  readonly lostAt: string | null;
}

export interface Relay {
  /** Starts sending soon, as commits to the outbox do. */
  wake(): void;
  /** Returns when the current batch is marked. */
  stop(): Promise<void>;
  lag(): Promise<Lag>;
}

/** After a batch: what is committed meanwhile is sent together. A commit after a quiet moment is sent at once. */
const gatheringMs = 20;
const pollMs = 250;
const idleMs = 30_000;
const failingMs = 1_000;

const lagQuery = `
  select count(*)::int as waiting,
         coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as "oldestSeconds",
         (select to_json(max(lost_at)) #>> '{}' from published_streams) as "lostAt"
  from outbox where published_at is null`;

/**
 * Publishes the events in the outbox to the broker. Any number of instances may run: one at a time works on an outbox, and
 * another takes over if that one stops. While the broker or the database is unavailable, rows wait.
 */
export function startRelay(options: RelayOptions): Relay {
  const { pool, broker, commits } = options;
  const waking = waker();
  const unsubscribe = [broker.onConnect(waking.wake), commits.subscribe(waking.wake)];
  const stopping = new AbortController();
  const running = sendUntilStopped(options, waking, stopping.signal);
  return {
    wake: waking.wake,
    async stop() {
      stopping.abort();
      waking.wake();
      for (const end of unsubscribe) end();
      await running;
    },
    async lag() {
      const { rows } = await pool.query<Lag>(lagQuery);
      return rows[0] ?? { waiting: 0, oldestSeconds: 0, lostAt: null };
    },
  };
}

interface Turn extends Sent {
  /** Another relay is working on the outbox, and nobody calls back if it is killed. */
  readonly isLeftToOthers?: boolean;
}

const nothing: Turn = { rows: 0, hasMore: false, failure: undefined };
const failed = (failure: unknown): Turn => ({ ...nothing, failure });
const leftToOthers: Turn = { ...nothing, isLeftToOthers: true };
const unfinished: Turn = { ...nothing, hasMore: true };

async function sendUntilStopped(
  { pool, broker, commits, service, log, batch = 500, portion = 2_000 }: RelayOptions,
  { clear, wait }: Waker,
  stopping: AbortSignal,
) {
  /**
   * The connection on which the stream was checked: before the next connection, the broker may have lost the stream or a part
   * of it.
   */
  let checked: Session | undefined;
  const report = reporter(log, service);

  const send = async (): Promise<Turn> => {
    if (!broker.connected()) return nothing;
    // Also if nothing is pending, because only the publisher may create it, and consumers wait for it.
    const session = broker.session();
    if (session !== checked) {
      const check = await checkStream({ pool, broker, service, log, portion });
      if (check !== 'finished') return check === 'unfinished' ? unfinished : leftToOthers;
      checked = session;
    }
    const sent = await sendOutbox({ pool, broker, service, batch });
    if (!sent) return leftToOthers;
    if (sent.isHeldBack) checked = undefined;
    if (sent.rows > 0 && !sent.hasMore) await pause(gatheringMs, stopping);
    return sent;
  };

  while (!stopping.aborted) {
    clear();
    const { hasMore, failure, isLeftToOthers } = await send().catch(failed);
    report(failure);
    // A broker without its data has no stream, and responds like one that is unavailable.
    if (failure) checked = undefined;
    if (failure) await wait(failingMs);
    else if (isLeftToOthers) await wait(pollMs);
    else if (!hasMore) await wait(commits.idleMs(pollMs, idleMs));
  }
}

/** Logs when events can no longer be sent, and when they can again. */
function reporter(log: Logger, service: string): (failure: unknown) => void {
  let failing = false;
  return (failure) => {
    if (failure && !failing) log.error({ err: failure, service }, 'events wait because they cannot be sent');
    if (!failure && failing) log.info({ service }, 'events are being sent again');
    failing = Boolean(failure);
  };
}
