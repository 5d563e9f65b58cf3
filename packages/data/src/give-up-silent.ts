import type { Socket } from 'node:net';
import type { Pool, PoolClient } from 'pg';
import { maxSilenceMs } from './statement-time.ts';

/** The server accepts no writes. It has become a standby, or what leads to it leads to another one now. */
const readOnly = '25006';

/**
 * Closes a connection whose server owes a response and has been silent for too long, as after a failover or a lost route without
 * a reset. Whatever is waiting for the connection fails at once, and the pool does not hand it out again. The idle connections of
 * the pool were most likely lost with it and are closed too; otherwise each would cost a request the same wait, or keep the pool
 * from closing. A connection whose server no longer accepts writes is closed as well.
 */
export function giveUpSilent(pool: Pool): void {
  const idle = new Set<PoolClient>();
  pool.on('acquire', (client) => idle.delete(client));
  pool.on('remove', (client) => idle.delete(client));
  pool.on('release', (_error, client) => idle.add(client));
  pool.on('connect', (client) => {
    const socket = socketOf(client);
    client.connection.on('errorMessage', ({ code }: { readonly code?: string }) => {
      if (code === readOnly) socket.destroy();
    });
    socket.setTimeout(maxSilenceMs);
    // Counts from the last byte in either direction, so it comes again only after a further statement.
    socket.on('timeout', () => {
      if (isReady(client) && !pool.ending) return;
      for (const lost of [client, ...idle]) socketOf(lost).destroy();
    });
  });
}

// pg declares any stream, and opens a socket or a TLS socket.
const socketOf = (client: PoolClient) => client.connection.stream as Socket;

/** Whether the server has answered everything; pg does not declare it. */
const isReady = (client: PoolClient) => (client as PoolClient & { readyForQuery: boolean }).readyForQuery;
