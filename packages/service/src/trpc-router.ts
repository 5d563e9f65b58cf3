import type { CallService, Envelope } from '@crm/client';
import { type AnyTRPCProcedure, initTRPC } from '@trpc/server';
import { refusalIn } from './classify-error.ts';
import type { Subscriptions } from './event-subscriptions.ts';
import { type Logger, logCause } from './log.ts';
import type { Procedure } from './procedure.ts';
import type { Transports } from './transports.ts';
import { formatError, trpcErrorOf } from './trpc-errors.ts';

const t = initTRPC.context<Envelope>().create({
  errorFormatter: formatError,
  isDev: false,
  // To detect a connection that broke without being closed.
  sse: { ping: { enabled: true, intervalMs: 5_000 }, client: { reconnectAfterInactivityMs: 15_000 } },
});

/** The operations of a service as a tRPC router, for everything but the common call, which needs none. */
export function trpcRouter({ procedures, call, subscriptions, log }: Transports) {
  const resources: Record<string, Record<string, AnyTRPCProcedure>> = {};
  for (const procedure of procedures.values()) {
    const [resource = '', verb = ''] = procedure.name.split('.');
    resources[resource] ??= {};
    resources[resource][verb] =
      procedure.operation.kind === 'subscription'
        ? subscriptionOf(procedure, subscriptions, log)
        : procedureOf(procedure, call, log);
  }
  return t.router(
    Object.fromEntries(Object.entries(resources).map(([name, verbs]) => [name, t.router(verbs)])),
  );
}

export type TrpcRouter = ReturnType<typeof trpcRouter>;

// The service reads the input itself, for all transports.
const unparsed = t.procedure.input((input: unknown) => input);

interface ResolveOptions {
  readonly ctx: Envelope;
  readonly input: unknown;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal | undefined;
}

function procedureOf({ name, operation }: Procedure, call: CallService, log: Logger) {
  const resolve = async ({ ctx, input, signal }: ResolveOptions) => {
    try {
      const { text } = await call({ ...ctx, procedure: name, input: input ?? {}, signal });
      return JSON.parse(text) as unknown;
    } catch (error) {
      throw refusedBy(error, name, ctx, log);
    }
  };
  return operation.kind === 'query' ? unparsed.query(resolve) : unparsed.mutation(resolve);
}

function subscriptionOf(procedure: Procedure, { open }: Subscriptions, log: Logger) {
  return unparsed.subscription(async ({ ctx, input, signal = new AbortController().signal }) => {
    const fail = (error: unknown): never => {
      logCause(log, refusalIn(error), { procedure: procedure.name, requestId: ctx.requestId });
      throw refusedBy(error, procedure.name, ctx, log);
    };
    // Before the client learns that it is connected, because from then on it must miss nothing.
    const events = await open(procedure, ctx, input ?? {}, signal).catch(fail);
    return (async function* () {
      try {
        yield* events;
      } catch (error) {
        fail(error);
      }
    })();
  });
}

function refusedBy(error: unknown, procedure: string, { requestId }: Envelope, log: Logger) {
  if (!refusalIn(error)) log.error({ err: error, procedure, requestId }, 'fault');
  return trpcErrorOf(error);
}
