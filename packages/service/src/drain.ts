import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * How many seconds a process that was asked to stop waits for its clients to leave: longer than load balancers take to notice
 * that it is no longer ready, and longer than busy clients leave a connection idle.
 */
export const drainSeconds = 5;

/**
 * Waits until a server has no connections, for at most `ms` milliseconds. While a server closes, each response ends its
 * connection. Idle connections are closed at the end, possibly just as a request arrives on them, so as many as possible should
 * be gone before that.
 */
export async function drain(server: Server, ms: number): Promise<void> {
  const end = performance.now() + ms;
  while (performance.now() < end && (await connectionsOf(server)) > 0) await sleep(20);
}

const connectionsOf = (server: Server) =>
  new Promise<number>((resolve) => {
    server.getConnections((_error, count) => resolve(count));
  });
