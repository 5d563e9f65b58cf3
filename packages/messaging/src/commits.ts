import type { Client, Pool } from 'pg';
import type { Logger } from 'pino';
import { pause } from './pause.ts';

/** A session notifies every 200 ms at most. What it commits in between is found by looking once more, this long after. */
const againMs = 400;

const channelQuery = `select 'outbox_' || 'outbox'::regclass::oid as channel`;

/** Commits that wrote to the outbox, in whichever process. Every mutation does. */
export interface Commits {
  /**
   * Calls back at most 0.4 s after each commit, and once after a lost connection for those that were missed, until the
   * returned function is called.
   */
  subscribe(onCommit: () => void): () => void;
  /**
   * For how long a subscriber may wait before it looks for work itself: `pollMs` while no notifications arrive, which
   * behind a pooler that shares sessions is always.
   */
  idleMs(pollMs: number, longestMs: number): number;
  /** Calls back for a commit of this process that wrote no event. */
  wake(): void;
  stop(): Promise<void>;
}

/** Listens for commits on its own connection. It has to have a session: the one of the pool may be shared. */
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

/** Calls a while after it was asked to last. Those who were called back and have stopped take no notice. */
function later(call: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(call, againMs).unref();
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
  // Without a farewell: a server that can no longer be reached would never acknowledge it.
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
