import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * How long a process that is asked to end waits for its clients to leave, in seconds: longer than balancers take to notice that
 * it is no longer ready, and than busy clients keep a connection idle.
 */
export const drainSeconds = 5;

/**
 * Waits until a server has no connections, for at most `ms` milliseconds. While a server closes, each response ends its
 * connection. One that waits for its next request is closed in the end, perhaps during that request; so as many as
 * possible should leave before.
 */
export async function drain(server: Server, ms: number): Promise<void> {
  const end = performance.now() + ms;
  while (performance.now() < end && (await connectionsOf(server)) > 0) await sleep(20);
}

const connectionsOf = (server: Server) =>
  new Promise<number>((resolve) => {
    server.getConnections((_error, count) => resolve(count));
  });
