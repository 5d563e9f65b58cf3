import { beginTrace, linkTo, type OpenSpan, type SpanFacts } from '@crm/telemetry';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** The spans of the requests in progress, while traces are recorded. */
const spans = new WeakMap<FastifyRequest, OpenSpan>();

/**
 * Records each request that reaches a route as the root span of a trace. A trace started by a client is only linked: otherwise
 * anybody could decide what is recorded, and add to the traces of others.
 */
export function traceRequests(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const span = request.is404 ? undefined : beginTrace(() => spanOf(request));
    if (!span) return done();
    spans.set(request, span);
    span.within(() => {
      linkTo(traceparentOf(request));
      done();
    });
  });
  // A body is read in events of the connection, which do not have the context of the request.
  app.addHook('preValidation', (request, _reply, done) => within(request, done));
  // Registered first among these hooks, so that the log lines of the others belong to the span.
  app.addHook('onResponse', (request, reply, done) => {
    spans.get(request)?.set({ 'http.response.status_code': reply.statusCode });
    if (reply.statusCode >= 500) spans.get(request)?.fail(reply.statusCode);
    within(request, done);
    spans.get(request)?.end();
  });
  app.addHook('onRequestAbort', (request, done) => {
    within(request, done);
    spans.get(request)?.end();
  });
}

function spanOf({ method, id, routeOptions }: FastifyRequest): SpanFacts {
  const route = routeOptions.url ?? 'unknown';
  return {
    name: `${method} ${route}`,
    kind: 'server',
    attributes: { 'http.request.method': method, 'http.route': route, 'crm.request_id': id },
  };
}

function within(request: FastifyRequest, done: () => void): void {
  const span = spans.get(request);
  if (span) span.within(done);
  else done();
}

const traceparentOf = ({ headers: { traceparent } }: FastifyRequest) =>
  typeof traceparent === 'string' ? traceparent : undefined;
