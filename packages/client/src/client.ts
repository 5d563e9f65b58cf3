import { type Contract, type Problem, Refused } from '@crm/contract';
import { createTRPCUntypedClient, httpLink, TRPCClientError } from '@trpc/client';
import { type Client, clientOf } from './typed-client.ts';

export type { CallOptions, Client } from './typed-client.ts';

interface Target {
  /** The base URL of the service, such as http://127.0.0.1:3002. */
  readonly url: string;
  readonly token: string;
}

/** A tRPC client for one service. Calls throw `Refused` for the errors of the contract. */
export function createClient<C extends Contract>(contract: C, { url, token }: Target): Client<C> {
  const trpc = createTRPCUntypedClient({
    links: [
      httpLink({
        url: `${url}/trpc`,
        // A long list of ids would not fit into a URL.
        methodOverride: 'POST',
        headers: ({ op }) => ({
          authorization: `Bearer ${token}`,
          ...(op.context.idempotencyKey !== undefined && {
            'idempotency-key': String(op.context.idempotencyKey),
          }),
        }),
      }),
    ],
  });
  return clientOf(contract, async (name, { kind }, input, { signal, ...context }) => {
    const send = kind === 'query' ? trpc.query.bind(trpc) : trpc.mutation.bind(trpc);
    return send(name, input, { context, ...(signal && { signal }) }).catch(throwRefusal);
  });
}

function throwRefusal(error: unknown): never {
  const problem: Problem | undefined = error instanceof TRPCClientError ? error.data?.problem : undefined;
  throw problem ? new Refused(problem) : error;
}
