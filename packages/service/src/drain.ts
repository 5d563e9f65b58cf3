import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/**
 * How many seconds a process that was asked to stop waits for its clients to leave: longer than load balancers take to notice
 * that it is no longer ready, and longer than busy clients leave a connection idle.
 */
export const drainSeconds = 5;

/**
 * While a server closes, or from the call of `leave`, each response ends its connection. A closing server waits, for at most `ms`
 * milliseconds, until it has no connections: idle ones are closed at the end, possibly just as a request arrives on them, so as
 * many as possible should be gone before that.
 */
export function drainWhenClosing(app: FastifyInstance, ms: number) {
  let isLeaving = false;
  const leave = () => {
    isLeaving = true;
  };
  app.addHook('preClose', async () => {
    leave();
    await drain(app.server, ms);
  });
  app.addHook('onSend', async (_request, reply) => {
    // A connection kept alive after its last response would keep the server open until it times out.
    if (isLeaving) reply.header('connection', 'close');
  });
  return { leave, isLeaving: () => isLeaving };
}

async function drain(server: Server, ms: number): Promise<void> {
  const end = performance.now() + ms;
  while (performance.now() < end && (await connectionsOf(server)) > 0) await sleep(20);
}

const connectionsOf = (server: Server) =>
  new Promise<number>((resolve) => {
    server.getConnections((_error, count) => resolve(count));
  });
