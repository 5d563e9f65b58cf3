import type { FastifyInstance } from 'fastify';
import { answerSocketError } from './socket-errors.ts';

/** For as long as a body may take to arrive, so that slow clients cannot occupy all sockets. */
const bodyMs = 30_000;

/** Ends requests whose body takes too long, unless the route is for files, which have the time of the server. */
export function limitBodyTime(app: FastifyInstance, publicUrl: string | undefined, maxMs = bodyMs): void {
  app.addHook('onRequest', async ({ raw, routeOptions }) => {
    const { 'content-length': length, 'transfer-encoding': encoding } = raw.headers;
    if (routeOptions.config?.isSlow || (encoding === undefined && (length ?? '0') === '0')) return;
    const timeout = Object.assign(new Error('The body took too long.'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    const timer = setTimeout(() => answerSocketError(timeout, raw.socket, publicUrl), maxMs);
    const stop = () => clearTimeout(timer);
    raw.once('end', stop).once('close', stop);
  });
}
