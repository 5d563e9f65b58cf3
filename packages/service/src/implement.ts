import { type Contract, forbidden, methodNotAllowed, type Operation, type Operations } from '@crm/contract';
import type { JsonText } from '@crm/data';
import type { z } from 'zod';
import type { Context } from './context.ts';
import { demandRehearsal } from './dry-run.ts';

/** Implements one operation. JSON text from the database is passed on unchanged. */
export type Handler<Op extends Operation> =
  | ((ctx: Context, input: z.output<Op['input']>) => Promise<JsonText | z.input<Op['output']>>)
  | Stepped<Op>;

/** A mutation that calls other services. Created by `inSteps`, which types what passes from step to step. */
interface Stepped<Op extends Operation> {
  readonly ask?: (ctx: Context, input: z.output<Op['input']>) => Promise<unknown>;
  readonly act: (ctx: Context, input: z.output<Op['input']>, facts: never) => Promise<unknown>;
  readonly finish?: (
    ctx: Context,
    done: never,
    input: z.output<Op['input']>,
  ) => Promise<JsonText | z.input<Op['output']>>;
  readonly complete?: (ctx: Context, done: never) => Promise<JsonText | z.input<Op['output']>>;
  readonly rehearse?: (ctx: Context, done: never) => Promise<JsonText | z.input<Op['output']>>;
  readonly keep?: true;
}

interface Steps<Op extends Operation, Facts, Done> {
  /** Before the transaction: calls peers for what it depends on. Changes nothing, in any service. */
  readonly ask?: (ctx: Context, input: z.output<Op['input']>) => Promise<Facts>;
  /** The transaction. Peers cannot be called in it. */
  readonly act: (ctx: Context, input: z.output<Op['input']>, facts: Facts) => Promise<JsonText | Done>;
  /** After the commit: calls peers for what they add to the response. Changes nothing, in any service. */
  readonly complete?: (ctx: Context, done: Done) => Promise<JsonText | z.input<Op['output']>>;
  /**
   * After the commit, instead of `complete`: calls peers for what they do because of the change. When a request with
   * an Idempotency-Key is repeated, it runs again on the stored result, so it may run twice.
   */
  readonly finish?: (
    ctx: Context,
    done: Done,
    input: z.output<Op['input']>,
  ) => Promise<JsonText | z.input<Op['output']>>;
  /** In a dry run, instead of `finish`: the response without what is done. Changes nothing, in any service. */
  readonly rehearse?: (ctx: Context, done: Done) => Promise<JsonText | z.input<Op['output']>>;
  /**
   * Stores the response of `finish` instead of the result of the transaction; when the request is repeated, `finish` runs
   * on that response. For work of another service that is done once and cannot be derived from records later.
   */
  readonly keep?: true;
}

/** Returns the steps; the operation gives them their types. */
export function inSteps<Op extends Operation, Facts = undefined, Done = z.output<Op['output']>>(
  _operation: Op,
  steps: Steps<Op, Facts, Done>,
): Stepped<Op> {
  return steps;
}

/** A handler for each operation: a missing or extra one is a type error. Subscriptions are the same in each service. */
export type Handlers<Ops extends Operations> = {
  readonly [Name in keyof Ops as Ops[Name]['kind'] extends 'subscription' ? never : Name]: Handler<Ops[Name]>;
};

/** Returns the handlers; the operations give them their types. */
export function implement<const Ops extends Operations>(
  _operations: Ops,
  handlers: Handlers<Ops>,
): Handlers<Ops> {
  return handlers;
}

export interface Procedure {
  readonly name: string;
  readonly operation: Operation;
  readonly ask?: (ctx: Context, input: unknown) => Promise<unknown>;
  readonly act: (ctx: Context, input: unknown, facts: unknown) => Promise<unknown>;
  readonly finish?: (ctx: Context, done: unknown, input: unknown) => Promise<unknown>;
  readonly complete?: (ctx: Context, done: unknown) => Promise<unknown>;
  readonly rehearse?: (ctx: Context, done: unknown) => Promise<unknown>;
  readonly keep?: true;
}

/** The handlers of each resource that has any. */
type HandlersOf<C extends Contract> = {
  readonly [Resource in keyof C as keyof Handlers<C[Resource]> extends never ? never : Resource]: Handlers<
    C[Resource]
  >;
};

/** A contract with its handlers, by the names that callers use: `hotnesses.find`. */
export function proceduresOf<const C extends Contract>(
  contract: C,
  handlers: HandlersOf<C>,
): ReadonlyMap<string, Procedure> {
  const procedures = new Map<string, Procedure>();
  for (const [resource, operations] of Object.entries(contract)) {
    for (const [verb, operation] of Object.entries(operations)) {
      // The types above link each handler to its operation, which a map by name cannot express.
      const ofResource = (handlers as Readonly<Record<string, Readonly<Record<string, unknown>>>>)[resource];
      const handler = ofResource?.[verb];
      const steps = stepsOf(handler as Procedure['act'] | Omit<Procedure, 'name' | 'operation'> | undefined);
      const name = `${resource}.${verb}`;
      const procedure = { name, operation, ...steps };
      demandRehearsal(procedure);
      procedures.set(name, procedure);
    }
  }
  return procedures;
}

function stepsOf(handler: Procedure['act'] | Omit<Procedure, 'name' | 'operation'> | undefined) {
  return typeof handler === 'function' ? { act: handler } : (handler ?? { act: notAnswered });
}

/** A subscription is opened, and never called. */
const notAnswered = async () => {
  throw methodNotAllowed({ message: 'This is a subscription. Send a GET that accepts text/event-stream.' });
};

/** Throws Forbidden for what a policy does not allow. */
export function demand(allowed: boolean): void {
  if (!allowed) throw forbidden();
}
