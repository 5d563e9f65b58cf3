import type { Actor } from '@crm/auth';
import { type Caller, type Credential, callHeaders, requestIdOf } from '@crm/client';
import { invalid, notFound, Refused, statuses } from '@crm/contract';
import { initTRPC, TRPCError } from '@trpc/server';
import { fastifyTRPCPlugin } from '@trpc/server/adapters/fastify';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refusalIn } from './faults.ts';
import { problemOf } from './idempotency.ts';
import type { Procedure } from './implement.ts';
import type { Logger } from './log.ts';

export interface Transports {
  readonly procedures: ReadonlyMap<string, Procedure>;
  readonly call: Caller;
  readonly authenticate: (credential: Credential, requestId: string) => Promise<Actor>;
  readonly log: Logger;
}

type Envelope = Omit<Parameters<Caller>[0], 'procedure' | 'input'>;

const t = initTRPC.context<Envelope>().create({
  errorFormatter: ({ shape, error }) => {
    const refused = refusalIn(error.cause);
    // The message of a fault may contain SQL and values, and is only logged.
    const message =
      refused?.message ?? (error.code === 'INTERNAL_SERVER_ERROR' ? 'Something went wrong.' : error.message);
    const { stack: _, ...data } = shape.data;
    return { ...shape, message, data: { ...data, problem: refused && problemOf(refused) } };
  },
});

const codes: Partial<Record<Refused['name'], TRPCError['code']>> = {
  BadRequest: 'BAD_REQUEST',
  NotAuthenticated: 'UNAUTHORIZED',
  Forbidden: 'FORBIDDEN',
  NotFound: 'NOT_FOUND',
  Conflict: 'CONFLICT',
  Unprocessable: 'UNPROCESSABLE_CONTENT',
  TooManyRequests: 'TOO_MANY_REQUESTS',
  Unavailable: 'SERVICE_UNAVAILABLE',
};

/** The public transport of a service for TypeScript callers: tRPC with one procedure per operation of the contract. */
export async function mountTrpc(app: FastifyInstance, transports: Transports) {
  await app.register(fastifyTRPCPlugin, {
    prefix: '/trpc',
    trpcOptions: {
      router: trpcRouter(transports),
      createContext: ({ req }: { req: FastifyRequest }) => envelopeOf(req),
      allowBatching: false,
      allowMethodOverride: true,
    },
  });
}

function trpcRouter({ procedures, call, log }: Transports) {
  const resources: Record<string, Record<string, ReturnType<typeof procedureOf>>> = {};
  for (const procedure of procedures.values()) {
    const [resource = '', verb = ''] = procedure.name.split('.');
    resources[resource] ??= {};
    resources[resource][verb] = procedureOf(procedure, call, log);
  }
  return t.router(
    Object.fromEntries(Object.entries(resources).map(([name, verbs]) => [name, t.router(verbs)])),
  );
}

function procedureOf({ name, operation }: Procedure, call: Caller, log: Logger) {
  const resolve = async ({ ctx, input }: { ctx: Envelope; input: unknown }) => {
    try {
      const { text } = await call({ ...ctx, procedure: name, input: input ?? {} });
      return JSON.parse(text) as unknown;
    } catch (error) {
      const refused = refusalIn(error);
      if (!refused) log.error({ err: error, procedure: name, requestId: ctx.requestId }, 'fault');
      throw new TRPCError({
        code: codes[refused?.name ?? 'GeneralError'] ?? 'INTERNAL_SERVER_ERROR',
        cause: refused ?? error,
      });
    }
  };
  // The call parses its input itself, for all transports.
  const unparsed = t.procedure.input((input: unknown) => input);
  return operation.kind === 'query' ? unparsed.query(resolve) : unparsed.mutation(resolve);
}

/** Services send each other larger requests than clients may: everything that a campaign sends, with its texts. */
const maxBodyBytes = 32 * 1024 * 1024;

/** What anyone may send without a credential: a form or a callback that the gateway passes on, as JSON. */
const maxOpenBodyBytes = 512 * 1024;

/**
 * The transport for the gateway and between services: the same calls, with JSON text in and out. The caller is
 * authenticated before the body is read, so that nobody else can make the service read and parse a large one.
 */
export function mountRpc(app: FastifyInstance, transports: Transports) {
  for (const procedure of transports.procedures.values()) {
    const isOpen = procedure.operation.for === 'anyone';
    app.post(
      `/rpc/${procedure.name}`,
      {
        bodyLimit: isOpen ? maxOpenBodyBytes : maxBodyBytes,
        onRequest: isOpen ? [] : async (request) => authenticateFirst(request, transports),
        errorHandler: (error, request, reply) => refuseUnread(error, request, reply, transports.log),
      },
      (request, reply) => answerCall(procedure.name, transports, request, reply),
    );
  }
  app.post('/rpc/:procedure', { onRequest: refuseUnknown }, async () => undefined);
}

/** The actors of requests that were authenticated before their body was read. */
const actors = new WeakMap<FastifyRequest, Actor>();

async function authenticateFirst(request: FastifyRequest, { authenticate }: Transports) {
  const { credential, requestId } = envelopeOf(request);
  actors.set(request, await authenticate(credential, requestId));
}

async function refuseUnknown(_request: FastifyRequest, reply: FastifyReply) {
  const refused = notFound({ message: 'Unknown procedure.' });
  return reply.code(statuses[refused.name]).send(problemOf(refused));
}

async function answerCall(
  procedure: string,
  { call, log }: Transports,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const { credential, ...envelope } = envelopeOf(request);
  const actor = actors.get(request);
  const known = actor ? { actor, ...credential } : credential;
  reply.type('application/json').header(callHeaders.requestId, envelope.requestId);
  try {
    const input = request.body ?? {};
    const { text, replayed } = await call({ ...envelope, credential: known, procedure, input });
    if (replayed) reply.header(callHeaders.replayed, 'true');
    return reply.send(text);
  } catch (error) {
    const refused = refusalIn(error);
    if (!refused) log.error({ err: error, procedure, requestId: envelope.requestId }, 'fault');
    const answer = refused ?? new Refused({ name: 'GeneralError', message: 'Something went wrong.' });
    if (answer.replayed) reply.header(callHeaders.replayed, 'true');
    return reply.code(statuses[answer.name]).send(JSON.stringify(problemOf(answer)));
  }
}

/**
 * Without a valid credential, or if Fastify could not read it, a request is refused like any other, with the usual error
 * body.
 */
function refuseUnread(error: FastifyError, { id }: FastifyRequest, reply: FastifyReply, log: Logger) {
  const known = refusalIn(error);
  const isFault = !known && (error.statusCode ?? 500) >= 500;
  if (isFault) log.error({ err: error, requestId: id }, 'fault');
  const refused = isFault
    ? new Refused({ name: 'GeneralError', message: 'Something went wrong.' })
    : (known ?? invalid({ message: 'The request could not be read.' }));
  return reply.code(statuses[refused.name]).send(JSON.stringify(problemOf(refused)));
}

function envelopeOf({ headers }: FastifyRequest): Envelope {
  const token = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  const key = headers[callHeaders.idempotencyKey];
  return {
    credential: token === undefined ? undefined : { token },
    requestId: requestIdOf(headers[callHeaders.requestId]),
    idempotencyKey: typeof key === 'string' ? key : undefined,
    strict: /\bhandling=strict\b/.test(String(headers[callHeaders.prefer] ?? '')),
  };
}
