import { Client, type Pool } from 'pg';
import type { Logger } from 'pino';
import { pause } from './pause.ts';

/**
 * Calls back after each commit that wrote to the outbox, on a connection of its own made like the pool's. A
 * lost connection is made anew, and calls back once for what was missed meanwhile. Behind a pooler that
 * shares sessions nothing is heard, and the relay lives by its poll.
 */
export function listenToOutbox(pool: Pool, heard: () => void, log: Logger) {
  const stopping = new AbortController();

  async function listenOnce() {
    const client = new Client(pool.options);
    const lost = new Promise<void>((resolve) => {
      client.on('end', resolve);
      // Without a listener for the error, losing this connection would end the process.
      client.on('error', () => resolve());
      stopping.signal.addEventListener('abort', () => resolve(), { once: true });
    });
    try {
      await client.connect();
      client.on('notification', heard);
      const { rows } = await client.query<{ channel: string }>(
        `select 'outbox_' || 'outbox'::regclass::oid as channel`,
      );
      await client.query(`listen ${rows[0]?.channel}`);
      heard();
      await lost;
    } finally {
      await client.end().catch(() => {});
    }
  }

  async function stayListening() {
    while (!stopping.signal.aborted) {
      await listenOnce().catch((error) => log.warn({ err: error }, 'the relay cannot listen for commits'));
      await pause(1_000, stopping.signal);
    }
  }

  const listening = stayListening();
  return {
    async stop() {
      stopping.abort();
      await listening;
    },
  };
}
