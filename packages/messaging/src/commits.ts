import type { Client, Pool } from 'pg';
import type { Logger } from 'pino';
import { pause } from './pause.ts';

/**
 * A session notifies at most every 200 ms. What it writes in between is found by checking once more after a moment, and later
 * for transactions that take longer to commit, as when they wait for a lock or a standby.
 */
const againMs = [400, 2_000, 10_000];

const channelQuery = `select 'outbox_' || 'outbox'::regclass::oid as channel`;

/** Commits that wrote to the outbox, in any process. Every mutation does. */
export interface Commits {
  /**
   * Calls back at most 0.4 s after each commit, or some seconds after that of a slow transaction, and, for commits that were
   * missed, once after a lost connection, until the returned function is called.
   */
  subscribe(onCommit: () => void): () => void;
  /**
   * How long a subscriber may wait before it looks for work itself: `pollMs` while no notifications arrive, which is always so
   * behind a pooler that shares sessions.
   */
  idleMs(pollMs: number, longestMs: number): number;
  /** Calls back for a commit of this process that wrote no event. */
  wake(): void;
  stop(): Promise<void>;
}

/** Listens for commits on its own connection, which needs a session: those of the pool may be shared. */
export function listenToCommits(pool: Pool, log: Logger, connection: () => Client): Commits {
  const stopping = new AbortController();
  const subscribers = new Set<() => void>();
  let doArrive = false;
  // An idle connection that is lost emits an error, which would end the process without a handler.
  pool.on('error', () => {});

  const callBack = () => {
    for (const onCommit of subscribers) onCommit();
  };
  const again = later(callBack);
  const notified = () => {
    doArrive = true;
    callBack();
    again();
  };
  async function stayListening() {
    while (!stopping.signal.aborted) {
      await listenOnce(pool, connection, { notified, listening: callBack }, stopping.signal).catch((error) =>
        log.warn({ err: error }, 'commit notifications do not arrive'),
      );
      doArrive = false;
      await pause(1_000, stopping.signal);
    }
  }

  const listening = stayListening();
  return {
    subscribe(onCommit) {
      subscribers.add(onCommit);
      return () => void subscribers.delete(onCommit);
    },
    idleMs: (pollMs, longestMs) => (doArrive ? longestMs : pollMs),
    wake: callBack,
    async stop() {
      stopping.abort();
      await listening;
    },
  };
}

/** Calls some times after the last request to do so. Subscribers that have stopped ignore the calls. */
function later(call: () => void): () => void {
  let timers: readonly NodeJS.Timeout[] = [];
  return () => {
    for (const timer of timers) clearTimeout(timer);
    timers = againMs.map((ms) => setTimeout(call, ms).unref());
  };
}

interface Callbacks {
  /** Called once, for commits that were missed until then. */
  readonly listening: () => void;
  readonly notified: () => void;
}

/** Listens until the connection is lost. */
async function listenOnce(
  pool: Pool,
  connection: () => Client,
  { listening, notified }: Callbacks,
  stopping: AbortSignal,
) {
  const client = connection();
  const lost = closed(client);
  // Closed abruptly: a server that can no longer be reached would never acknowledge the end.
  const hangUp = () => client.connection.stream.destroy();
  stopping.addEventListener('abort', hangUp, { once: true });
  try {
    await client.connect();
    client.on('notification', notified);
    const { rows } = await client.query<{ channel: string }>(channelQuery);
    const channel = rows[0]?.channel;
    await client.query(`listen ${channel}`);
    listening();
    // From another connection, as commits come: a pooler would deliver it to whoever has the session now.
    await pool.query('select pg_notify($1, $2)', [channel, '']);
    await lost;
  } finally {
    stopping.removeEventListener('abort', hangUp);
    hangUp();
  }
}

function closed(client: Client) {
  return new Promise<void>((resolve) => {
    client.on('end', resolve);
    client.on('error', () => resolve());
  });
}
