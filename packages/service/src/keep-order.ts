import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { tooManyAtOnce } from '@crm/contract';
import type { FastifyInstance } from 'fastify';

/** Per connection. More are refused, and Node stops reading when their responses pile up. */
const maxWaiting = 100;

const safe: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Handles requests that a client sends on a connection without waiting for responses (RFC 9112, section 9.3.2) in order, unless
 * only safe ones are in progress. Otherwise a GET might not see what the preceding POST wrote. Must be called before hooks that
 * do more than set headers are added.
 */
export function keepOrder(app: FastifyInstance): void {
  const waiting = new WeakMap<Socket, number>();
  app.addHook('onRequest', ({ raw }, { raw: response }, done) => {
    if (isFirst(response)) return done();
    const others = waiting.get(raw.socket) ?? 0;
    // A request waits behind any that is waiting, because that one is unsafe or follows an unsafe one.
    if (others === 0 && isSafe(raw) && isSafe(inProgress(raw.socket))) return done();
    if (others === maxWaiting) return done(tooManyWait());
    waiting.set(raw.socket, others + 1);
    void becomesFirst(response).then(() => {
      waiting.set(raw.socket, (waiting.get(raw.socket) ?? 1) - 1);
      // Nobody would learn the outcome.
      if (!raw.socket.destroyed) done();
    });
  });
}

/** Node gives a response its socket once the previous ones have been sent. */
const isFirst = ({ socket }: ServerResponse): boolean => socket !== null;

/** Never, if the connection ends before. */
const becomesFirst = (response: ServerResponse) =>
  new Promise<void>((resolve) => {
    response.once('socket', () => resolve());
  });

const tooManyWait = () =>
  tooManyAtOnce({
    message: `More than ${maxWaiting} requests on this connection are waiting for an earlier one. Wait for responses before you send more.`,
    retryAfter: 1,
  });

const isSafe = (request: IncomingMessage | undefined): boolean => safe.has(request?.method);

/** The request whose response is sent next, by a property that Node does not document. */
const inProgress = ({ _httpMessage }: Socket & { readonly _httpMessage?: ServerResponse | null }) =>
  _httpMessage?.req;
