import { callHeaders, resultText } from '@crm/client';
import { fault, invalidField, malformedBody, malformedRequest, Refused, statuses } from '@crm/contract';
import { getErrorShape } from '@trpc/server';
import { fastifyRequestHandler } from '@trpc/server/adapters/fastify';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refusalIn } from './classify-error.ts';
import { disconnectionOf } from './disconnection.ts';
import { logCause } from './log.ts';
import type { Procedure } from './procedure.ts';
import { authenticatedEnvelopeOf, authenticateFirst, isOpenTo, type Transports } from './transports.ts';
import { trpcErrorOf } from './trpc-errors.ts';
import { type TrpcRouter, trpcRouter } from './trpc-router.ts';

/** Services may send each other larger requests than clients: everything that a campaign sends, with its texts. */
const maxBodyBytes = 32 * 1024 * 1024;

/** What anyone may send without a credential: a form or a callback that the gateway passes on, as JSON. */
const maxOpenBodyBytes = 512 * 1024;

/** More would only wait for each other: a user has only a few turns at the database at once. */
const maxBatchSize = 100;

const path = '/trpc';

interface Mounted extends Transports {
  readonly router: TrpcRouter;
}

/**
 * The transport of a service, for the gateway, for other services and for TypeScript callers. A call of a single procedure, as
 * nearly all requests are, gets the JSON from the database unchanged, wrapped in the format of tRPC; tRPC's own adapter handles
 * everything else. The caller is authenticated before the body is read, so that nobody else can make the service read and parse
 * a large one.
 */
export function mountTrpc(app: FastifyInstance, transports: Transports) {
  const mounted = { ...transports, router: trpcRouter(transports) };
  app.removeAllContentTypeParsers();
  // Read as text, because that is what the adapter parses.
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_, body, done) => done(null, body));
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const { requestId } = authenticatedEnvelopeOf(request);
    if (error instanceof Refused) logCause(mounted.log, error, { requestId });
    return refuse(mounted, unread(error), reply, { requestId });
  });
  for (const procedure of transports.procedures.values()) mountProcedure(app, procedure, mounted);
  app.all<{ Params: { path: string } }>(
    `${path}/:path`,
    { bodyLimit: maxBodyBytes, onRequest: async (request) => authenticateFirst(request, mounted) },
    (request, reply) => answerByAdapter(request.params.path, mounted, request, reply),
  );
}

function mountProcedure(app: FastifyInstance, procedure: Procedure, mounted: Mounted) {
  const isOpen = isOpenTo(procedure);
  const { kind } = procedure.operation;
  app.route<{ Querystring: Record<string, unknown> }>({
    method: kind === 'mutation' ? ['POST'] : ['GET', 'POST'],
    url: `${path}/${procedure.name}`,
    exposeHeadRoute: false,
    bodyLimit: isOpen ? maxOpenBodyBytes : maxBodyBytes,
    onRequest: isOpen ? [] : async (request) => authenticateFirst(request, mounted),
    handler: (request, reply) =>
      request.query.batch === undefined && !(kind === 'subscription' && request.method === 'GET')
        ? answerCall(procedure.name, mounted, request, reply)
        : answerByAdapter(procedure.name, mounted, request, reply),
  });
}

async function answerCall(procedure: string, mounted: Mounted, request: FastifyRequest, reply: FastifyReply) {
  const envelope = authenticatedEnvelopeOf(request);
  reply.type('application/json').header(callHeaders.requestId, envelope.requestId);
  try {
    const signal = disconnectionOf(reply.raw);
    const { text, replayed } = await mounted.call({
      ...envelope,
      procedure,
      input: inputOf(request),
      signal,
    });
    if (replayed) reply.header(callHeaders.replayed, 'true');
    return reply.send(resultText(text));
  } catch (error) {
    return refuse(mounted, error, reply, { procedure, requestId: envelope.requestId });
  }
}

/** A request without input counts as an input without fields. Throws BadRequest. */
function inputOf({ method, query, body }: FastifyRequest): unknown {
  const text = method === 'GET' ? (query as Record<string, unknown>).input : body;
  if (text === undefined || text === '') return {};
  try {
    return (JSON.parse(String(text)) as unknown) ?? {};
  } catch {
    throw malformedBody({ message: 'The input is not valid JSON.' });
  }
}

/** Batches, streams, and every error about which procedure is called and how. */
async function answerByAdapter(
  path: string,
  { router }: Mounted,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const ofOneCall = [callHeaders.idempotencyKey, callHeaders.ifMatch].filter(
    (name) => request.headers[name] !== undefined,
  );
  // The adapter decodes the path again.
  if (ofOneCall.length > 0 && /,|%2c/i.test(path))
    throw invalidField(ofOneCall.join(' and '), 'cannot be sent with several calls at once');
  const envelope = authenticatedEnvelopeOf(request);
  reply.header(callHeaders.requestId, envelope.requestId);
  await fastifyRequestHandler({
    req: request,
    res: reply,
    path,
    router,
    createContext: () => envelope,
    allowMethodOverride: true,
    maxBatchSize,
  });
}

/** A request that Fastify could not read is refused like any other invalid one. */
function unread(error: FastifyError): unknown {
  return refusalIn(error) ?? ((error.statusCode ?? 500) >= 500 ? error : malformedRequest());
}

function refuse(
  { router, log }: Mounted,
  reason: unknown,
  reply: FastifyReply,
  { procedure, requestId }: { readonly procedure?: string; readonly requestId: string },
) {
  const refused = refusalIn(reason);
  if (!refused) log.error({ err: reason, procedure, requestId }, 'fault');
  const { name, replayed } = refused ?? fault();
  if (replayed) reply.header(callHeaders.replayed, 'true');
  const error = getErrorShape({
    config: router._def._config,
    error: trpcErrorOf(reason),
    type: 'unknown',
    path: procedure,
    input: undefined,
    ctx: undefined,
  });
  return reply.code(statuses[name]).type('application/json').send(JSON.stringify({ error }));
}
