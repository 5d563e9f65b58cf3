import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** How long a process that is asked to end waits for its clients to leave. */
export const drainMs = 500;

/**
 * Waits until a server has no connections, but no longer than this. While it closes, each response ends its connection;
 * closed at once, one that waits for its next request could be closed under that request.
 */
export async function drain(server: Server, ms: number): Promise<void> {
  const end = performance.now() + ms;
  while (performance.now() < end && (await connectionsOf(server)) > 0) await sleep(20);
}

const connectionsOf = (server: Server) =>
  new Promise<number>((resolve) => {
    server.getConnections((_error, count) => resolve(count));
  });
