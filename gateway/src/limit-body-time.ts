import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { answerSocketError } from './socket-errors.ts';

/** How long a body may take to arrive, so that slow clients cannot occupy all sockets. */
const bodyMs = 30_000;
/** Applies after the response. Enough for clients to send tens of megabytes, and shorter than a process may take to stop. */
const restMs = 15_000;

/** Ends requests whose body takes too long, unless the route is for files, which have the time limit of the server. */
export function limitBodyTime(
  app: FastifyInstance,
  publicUrl: string | undefined,
  { maxMs = bodyMs, maxRestMs = restMs } = {},
): void {
  app.addHook('onRequest', async ({ raw, method, routeOptions }) => {
    // The body of a GET or HEAD is read after the response, which may be a long file.
    if (routeOptions.config?.isSlow || method === 'GET' || method === 'HEAD' || !hasBody(raw)) return;
    const timeout = Object.assign(new Error('The body took too long.'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    whileArriving(raw, maxMs, () => answerSocketError(timeout, raw.socket, publicUrl));
  });
  app.addHook('onResponse', async ({ raw }) => {
    if (!hasBody(raw) || raw.readableEnded || raw.destroyed) return;
    dropRest(raw, maxRestMs);
    // When the server began to close, it closed idle connections; this one becomes idle only now.
    raw.once('end', () => app.server.listening || raw.socket.destroy());
  });
}

function hasBody({ headers }: IncomingMessage): boolean {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = headers;
  return encoding !== undefined || length !== '0';
}

/** Many clients read the response only after sending the whole body, and would wait forever if nobody read it. */
function dropRest(request: IncomingMessage, maxMs: number): void {
  whileArriving(request, maxMs, () => request.socket.destroy());
  request.unpipe();
  request.resume();
}

/** Acts on a request whose body has not arrived in time. */
function whileArriving(request: IncomingMessage, ms: number, act: () => void): void {
  const timer = setTimeout(act, ms);
  const stop = () => clearTimeout(timer);
  request.once('end', stop).once('close', stop);
}
