import {
  type Contract,
  forbidden,
  hasDryRun,
  methodNotAllowed,
  type Operation,
  type Operations,
} from '@crm/contract';
import type { JsonText } from '@crm/data';
import type { z } from 'zod';
import type { Context } from './context.ts';
import type { Pending } from './pending.ts';
import type { Procedure } from './procedure.ts';

type Input<Op extends Operation> = z.output<Op['input']>;
type Output<Op extends Operation> = JsonText | Pending<JsonText> | z.input<Op['output']>;

/** The implementation of one operation. JSON text from the database is passed on unchanged. */
export type Handler<Op extends Operation> =
  | ((ctx: Context, input: Input<Op>) => Promise<Output<Op>>)
  | Stepped<Op>;

/** A mutation that calls other services. Created by `inSteps`, which checks the types of the steps. */
type Stepped<Op extends Operation> = Omit<Procedure, 'name' | 'operation'> & {
  /** Has no value: it keeps the steps of one operation from being used for another. */
  readonly of?: Op;
};

type Steps<Op extends Operation, Facts, Done> = {
  /** Before the transaction: calls peers for what it depends on. Changes nothing, in any service. */
  readonly ask?: (ctx: Context, input: Input<Op>) => Promise<Facts>;
  /** The transaction. Peers cannot be called in it. */
  readonly act: (
    ctx: Context,
    input: Input<Op>,
    facts: Facts,
  ) => Promise<JsonText | Pending<JsonText> | Done>;
} & (Completing<Op, Done> | Finishing<Op, Done>);

interface Completing<Op extends Operation, Done> {
  /** After the commit: calls peers for what they add to the response. Changes nothing, in any service. */
  readonly complete?: (ctx: Context, done: Done) => Promise<Output<Op>>;
  readonly finish?: never;
  readonly rehearse?: never;
  readonly keep?: never;
}

interface Finishing<Op extends Operation, Done> {
  readonly complete?: never;
  /**
   * After the commit: calls peers to do what follows from the change. When a request with an Idempotency-Key is repeated, this
   * runs again on the stored result, so it may run twice.
   */
  readonly finish: (ctx: Context, done: Done, input: Input<Op>) => Promise<Output<Op>>;
  /** Replaces `finish` in a dry run: returns the response without doing anything. Changes nothing, in any service. */
  readonly rehearse?: (ctx: Context, done: Done) => Promise<Output<Op>>;
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
  // What passes from step to step has a type only here.
  return steps as Stepped<Op>;
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
      const steps = stepsOf(ofResource?.[verb] as AnyHandler | undefined);
      const procedure = { name: `${resource}.${verb}`, operation, ...steps };
      demandRehearsal(procedure);
      procedures.set(procedure.name, procedure);
    }
  }
  return procedures;
}

type AnyHandler = Procedure['act'] | Stepped<Operation>;

function stepsOf(handler: AnyHandler | undefined): Stepped<Operation> {
  return typeof handler === 'function' ? { act: handler } : (handler ?? { act: notAnswered });
}

/** A subscription is opened, never called. */
const notAnswered = async () => {
  throw methodNotAllowed({ message: 'This is a subscription. Send a GET that accepts text/event-stream.' });
};

/** Throws for steps that would have effects in a dry run, so that no service starts with them. */
function demandRehearsal({ name, operation, finish, rehearse }: Procedure): void {
  if (!finish || rehearse || !hasDryRun(operation)) return;
  throw new Error(`"${name}" does something after its transaction: it needs "rehearse", or "dryRun: false".`);
}

/** Throws Forbidden for what a policy does not allow. The message says who may do it, or who forbids it. */
export function demand(allowed: boolean, message: string): void {
  if (!allowed) throw forbidden({ message });
}
