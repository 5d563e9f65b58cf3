import { randomUUID } from 'node:crypto';
import { type Contract, type Operation, type Problem, Refused } from '@crm/contract';
import { createTRPCUntypedClient, httpLink, TRPCClientError } from '@trpc/client';
import type { z } from 'zod';
import type { Caller, Credential } from './call.ts';

/** A typed client of a service, derived from its contract alone: `crm.contacts.find({ email })`. */
export type Client<C extends Contract> = {
  readonly [Resource in keyof C]: {
    readonly [Verb in keyof C[Resource]]: (
      input: z.input<C[Resource][Verb]['input']>,
      options?: CallOptions,
    ) => Promise<z.output<C[Resource][Verb]['output']>>;
  };
};

export interface CallOptions {
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
}

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

/** The same client on top of a caller, such as a service in this process. */
export function clientOver<C extends Contract>(
  contract: C,
  caller: Caller,
  credential: Credential,
): Client<C> {
  return clientOf(contract, async (procedure, _operation, input, options) => {
    const requestId = randomUUID();
    const { text } = await caller({ procedure, input, credential, requestId, ...options });
    return JSON.parse(text) as unknown;
  });
}

type Send = (name: string, operation: Operation, input: unknown, options: CallOptions) => Promise<unknown>;

function clientOf<C extends Contract>(contract: C, send: Send): Client<C> {
  const resources = Object.entries(contract).map(([resource, operations]) => {
    const verbs = Object.entries(operations).map(([verb, operation]) => [
      verb,
      (input: unknown, options: CallOptions = {}) => send(`${resource}.${verb}`, operation, input, options),
    ]);
    return [resource, Object.fromEntries(verbs)];
  });
  return Object.fromEntries(resources) as Client<C>;
}

function throwRefusal(error: unknown): never {
  const problem: Problem | undefined = error instanceof TRPCClientError ? error.data?.problem : undefined;
  throw problem ? new Refused(problem) : error;
}
