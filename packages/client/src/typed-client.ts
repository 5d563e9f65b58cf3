import type { Contract, Operation } from '@crm/contract';
import type { z } from 'zod';

/**
 * A typed client of a service, derived from its contract alone: `crm.contacts.find({ email })`. Subscriptions need a link
 * that holds a connection, so they are left to the client of tRPC.
 */
export type Client<C extends Contract> = {
  readonly [Resource in keyof C]: {
    readonly [Verb in keyof C[Resource] as C[Resource][Verb]['kind'] extends 'subscription' ? never : Verb]: (
      input: z.input<C[Resource][Verb]['input']>,
      options?: CallOptions,
    ) => Promise<z.output<C[Resource][Verb]['output']>>;
  };
};

export interface CallOptions {
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
}

type Send = (name: string, operation: Operation, input: unknown, options: CallOptions) => Promise<unknown>;

/** A client whose calls are carried out by a function. */
export function clientOf<C extends Contract>(contract: C, send: Send): Client<C> {
  const resources = Object.entries(contract).map(([resource, operations]) => {
    const verbs = Object.entries(operations)
      .filter(([, { kind }]) => kind !== 'subscription')
      .map(([verb, operation]) => [
        verb,
        (input: unknown, options: CallOptions = {}) => send(`${resource}.${verb}`, operation, input, options),
      ]);
    return [resource, Object.fromEntries(verbs)];
  });
  return Object.fromEntries(resources) as Client<C>;
}
