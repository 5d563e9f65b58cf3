import { Client, type Pool } from 'pg';
import type { Logger } from 'pino';
import { pause } from './pause.ts';

const channelQuery = `select 'outbox_' || 'outbox'::regclass::oid as channel`;

/**
 * Calls back after each commit that wrote to the outbox, on its own connection with the pool's options. After a lost
 * connection it reconnects, and calls back once for what was missed. Behind a pooler that shares sessions there are
 * no notifications, and the relay depends on polling.
 */
export function listenToOutbox(pool: Pool, onCommit: () => void, log: Logger) {
  const stopping = new AbortController();

  async function listenOnce() {
    const client = new Client(pool.options);
    const lost = lossOf(client);
    // Without a farewell: a server that can no longer be reached would never acknowledge it.
    const hangUp = () => client.connection.stream.destroy();
    stopping.signal.addEventListener('abort', hangUp, { once: true });
    try {
      await client.connect();
      client.on('notification', onCommit);
      const { rows } = await client.query<{ channel: string }>(channelQuery);
      await client.query(`listen ${rows[0]?.channel}`);
      onCommit();
      await lost;
    } finally {
      stopping.signal.removeEventListener('abort', hangUp);
      hangUp();
    }
  }

  async function stayListening() {
    while (!stopping.signal.aborted) {
      await listenOnce().catch((error) => log.warn({ err: error }, 'the relay cannot listen'));
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

function lossOf(client: Client) {
  return new Promise<void>((resolve) => {
    client.on('end', resolve);
    // Without this handler, losing the connection would end the process.
    client.on('error', () => resolve());
  });
}
