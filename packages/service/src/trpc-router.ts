import type { Caller } from '@crm/client';
import { initTRPC } from '@trpc/server';
import { refusalIn } from './faults.ts';
import type { Procedure } from './implement.ts';
import type { Logger } from './log.ts';
import type { Envelope, Transports } from './transports.ts';
import { formatError, trpcErrorOf } from './trpc-errors.ts';

const t = initTRPC.context<Envelope>().create({ errorFormatter: formatError, isDev: false });

/** The operations of a service as a tRPC router, for everything but the common call, which needs none. */
export function trpcRouter({ procedures, call, log }: Transports) {
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

export type TrpcRouter = ReturnType<typeof trpcRouter>;

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
