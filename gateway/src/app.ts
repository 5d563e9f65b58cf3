import type { Readable } from 'node:stream';
import { unsupportedMediaType } from '@crm/contract';
import { drainWhenClosing, keepOrder, type RateLimits, reasonOf } from '@crm/service/process';
import { durations } from '@crm/telemetry';
import fastifyCors from '@fastify/cors';
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { rememberAdmissions } from './admit-ahead.ts';
import { errorAnswerer } from './answer-error.ts';
import type { Backend } from './backend.ts';
import { cors, safetyHeaders } from './browsers.ts';
import { expectHeaders } from './expect-headers.ts';
import { mountHealth, type Reachable } from './health.ts';
import { readForm, readJson } from './json-body.ts';
import { limitBodyTime } from './limit-body-time.ts';
import { limitRequests } from './limit-requests.ts';
import { type Mounting, mount } from './mount.ts';
import { mountWeb } from './mount-web.ts';
import { recordPlaces } from './record-place.ts';
import { type Counters, countersInMemory } from './request-counters.ts';
import { routes as publicRoutes, webRoutes as publicWebRoutes, type Route } from './routes.ts';
import { serverOptions } from './server-options.ts';
import { mountSite } from './site/mount-site.ts';
import { answerSocketError } from './socket-errors.ts';
import { traceRequests } from './trace-requests.ts';
import { refuseUnrouted } from './unrouted.ts';
import { leaveBodies } from './uploads/leave-bodies.ts';

interface Gateway extends Backend {
  readonly log: Logger;
  /** The URL of the gateway for clients, used in links in errors; without it, the links are paths. */
  readonly publicUrl?: string | undefined;
  /** Proxies whose X-Forwarded-For contains the client's address; without them, it is the address of the connection. */
  readonly trustedProxies?: readonly string[];
  /** No limits by default. */
  readonly rateLimits?: RateLimits | undefined;
  /** Counts requests for the limits, and is closed with the gateway; in memory by default. */
  readonly counters?: Counters;
  readonly reachable?: Reachable;
  /** How long a closing gateway waits for its clients to leave; not at all by default. */
  readonly drainMs?: number;
  /** The public API by default; tests pass a smaller one. */
  readonly routes?: readonly Route[];
  readonly webRoutes?: readonly Route[];
}

/** The public HTTP API in front of the services. `listen` opens it; `close` waits for the requests in progress. */
export function createGateway(gateway: Gateway): FastifyInstance {
  const { log, publicUrl, counters = countersInMemory, reachable = async () => ({}) } = gateway;
  const { routes = publicRoutes, webRoutes = gateway.routes ? [] : publicWebRoutes } = gateway;
  const answerError = errorAnswerer(log, publicUrl);
  const limits = gateway.rateLimits && limitRequests(gateway.rateLimits, counters);
  const app = Fastify({
    ...serverOptions,
    clientErrorHandler: (error, socket) => answerSocketError(error, socket, publicUrl),
    trustProxy: [...(gateway.trustedProxies ?? [])],
    // For a URL that cannot be decoded, which reaches no hook.
    frameworkErrors: (error, request, reply) => {
      reply.headers({ ...safetyHeaders, 'x-request-id': request.id, 'access-control-allow-origin': '*' });
      const answer = (reason: unknown) => answerError(reason, request, reply);
      Promise.resolve(limits?.countAddress(request, reply)).then(() => answer(error), answer);
    },
  });
  app.setErrorHandler(answerError);
  readBodies(app);
  beginHeaders(app);
  keepOrder(app);
  traceRequests(app);
  if (limits) app.addHook('onRequest', limits.countAddress);
  expectHeaders(app);
  limitBodyTime(app, publicUrl);
  const { isLeaving } = drainWhenClosing(app, gateway.drainMs ?? 0);
  app.addHook('onClose', async () => counters.close());
  app.register(fastifyCors, cors);
  logAndMeasure(app, log);
  mountHealth(app, reachable, isLeaving);
  mountSite(app, [...routes, ...webRoutes], publicUrl);
  app.decorateRequest('opened', null);
  app.decorateRequest('admission', null);
  app.decorateRequest('cause', undefined);
  const placeOf = recordPlaces(routes);
  mountAll(app, routes, { ...gateway, admit: rememberAdmissions(gateway.admit), limits, placeOf });
  mountWeb(app, webRoutes, gateway);
  refuseUnrouted(app, [...routes, ...webRoutes]);
  return app;
}

function beginHeaders(app: FastifyInstance) {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers({ ...safetyHeaders, 'x-request-id': request.id });
    done();
  });
}

function mountAll(app: FastifyInstance, routes: readonly Route[], gateway: Mounting) {
  for (const route of routes.filter(({ operation }) => !operation.upload)) mount(app, route, gateway);
  app.register(async (scope) => {
    leaveBodies(scope);
    for (const route of routes.filter(({ operation }) => operation.upload)) mount(scope, route, gateway);
  });
}

function logAndMeasure(app: FastifyInstance, log: Logger) {
  const measure = durations('http.server.request.duration');
  app.addHook('onResponse', async (request, { statusCode, elapsedTime }) => {
    const fields = requestFields(request);
    const line = { ...fields, status: statusCode, ms: Math.round(elapsedTime * 10) / 10 };
    if (request.cause === undefined) log.info(line, 'request');
    else log.warn({ ...line, cause: reasonOf(request.cause) }, 'request');
    measure(elapsedTime, {
      'http.request.method': fields.method,
      'http.route': fields.route ?? 'unknown',
      'http.response.status_code': statusCode,
    });
  });
  app.addHook('onRequestAbort', async (request) => log.info(requestFields(request), 'request aborted'));
}

function readBodies(app: FastifyInstance) {
  app.addHttpMethod('DELETE', { hasBody: true, overrideExisting: true });
  app.removeAllContentTypeParsers();
  const readers = { 'application/json': readJson, 'application/x-www-form-urlencoded': readForm };
  for (const [type, read] of Object.entries(readers)) {
    app.addContentTypeParser(type, { parseAs: 'buffer' }, async (request: FastifyRequest, bytes: Buffer) =>
      ignoresBody(request) ? ifValid(() => read(bytes)) : read(bytes),
    );
  }
  app.addContentTypeParser('*', async (request: FastifyRequest, stream: Readable) => {
    if (!ignoresBody(request)) throw unsupportedMediaType();
    stream.resume();
  });
}

function ifValid(read: () => unknown): unknown {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** Some clients send a body with every DELETE. It has to be valid only if the operation has parameters for it. */
function ignoresBody({ method, routeOptions }: FastifyRequest): boolean {
  return method === 'DELETE' && routeOptions.config.readsBody !== true;
}

/** The template of the route, never the URL, which contains ids and search texts. */
function requestFields({ method, id: requestId, is404, routeOptions, admission }: FastifyRequest) {
  const { user, account } = admission ?? {};
  return {
    method,
    route: is404 ? undefined : routeOptions.url,
    requestId,
    user: nameOf(user),
    act: account === user ? undefined : nameOf(account),
  };
}

const nameOf = (user: number | undefined) => (user === undefined ? undefined : `user/${user}`);
