import type { Caller } from '@crm/client';
import { type Refused, statuses } from '@crm/contract';
import { getErrorShape, initTRPC, TRPCError } from '@trpc/server';
import { fastifyTRPCPlugin } from '@trpc/server/adapters/fastify';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { refusalIn } from './faults.ts';
import { problemOf } from './idempotency.ts';
import type { Procedure } from './implement.ts';
import type { Logger } from './log.ts';
import {
  authenticatedEnvelopeOf,
  authenticateFirst,
  type Envelope,
  envelopeOf,
  isOpenTo,
  type Transports,
} from './transports.ts';

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
  PreconditionFailed: 'PRECONDITION_FAILED',
  Unprocessable: 'UNPROCESSABLE_CONTENT',
  TooManyRequests: 'TOO_MANY_REQUESTS',
  Unavailable: 'SERVICE_UNAVAILABLE',
};

const trpcPrefix = '/trpc';

/**
 * The public transport of a service for TypeScript callers: tRPC with one procedure per operation of the contract. Here,
 * too, the caller is authenticated before the body is read.
 */
export async function mountTrpc(app: FastifyInstance, transports: Transports) {
  const router = trpcRouter(transports);
  app.addHook('onRequest', async (request, reply) => {
    const path = request.url.slice(trpcPrefix.length + 1).split('?', 1)[0] ?? '';
    const procedure = transports.procedures.get(path);
    if (!procedure || isOpenTo(procedure)) return;
    try {
      await authenticateFirst(request, transports);
    } catch (reason) {
      const error = trpcErrorOf(reason);
      const ctx = envelopeOf(request);
      const type = procedure.operation.kind;
      const shape = getErrorShape({ config: router._def._config, error, type, path, input: undefined, ctx });
      return reply.code(statuses[refusalIn(reason)?.name ?? 'GeneralError']).send({ error: shape });
    }
  });
  await app.register(fastifyTRPCPlugin, {
    prefix: trpcPrefix,
    trpcOptions: {
      router,
      createContext: ({ req }: { req: FastifyRequest }) => authenticatedEnvelopeOf(req),
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
      if (!refusalIn(error)) log.error({ err: error, procedure: name, requestId: ctx.requestId }, 'fault');
      throw trpcErrorOf(error);
    }
  };
  // The call parses its input itself, for all transports.
  const unparsed = t.procedure.input((input: unknown) => input);
  return operation.kind === 'query' ? unparsed.query(resolve) : unparsed.mutation(resolve);
}

function trpcErrorOf(error: unknown): TRPCError {
  const refused = refusalIn(error);
  const code = codes[refused?.name ?? 'GeneralError'] ?? 'INTERNAL_SERVER_ERROR';
  return new TRPCError({ code, cause: refused ?? error });
}
