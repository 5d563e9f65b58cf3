import { type Contract, forbidden, type Operation, type Operations } from '@crm/contract';
import type { JsonText } from '@crm/data';
import type { z } from 'zod';
import type { Context } from './context.ts';

/** What carries out one operation. JSON text from the database is passed on as it is. */
export type Handler<Op extends Operation> =
  | ((ctx: Context, input: z.output<Op['input']>) => Promise<JsonText | z.input<Op['output']>>)
  | Stepped<Op>;

/** A mutation that other services have a part in. Made by `inSteps`, which knows what passes from step to step. */
export interface Stepped<Op extends Operation> {
  readonly ask?: (ctx: Context, input: z.output<Op['input']>) => Promise<unknown>;
  readonly act: (ctx: Context, input: z.output<Op['input']>, facts: never) => Promise<unknown>;
  readonly finish?: (
    ctx: Context,
    done: never,
    input: z.output<Op['input']>,
  ) => Promise<JsonText | z.input<Op['output']>>;
  readonly keep?: true;
}

interface Steps<Op extends Operation, Facts, Done> {
  /** Before the transaction: what others must say first. It changes nothing, here or there. */
  readonly ask?: (ctx: Context, input: z.output<Op['input']>) => Promise<Facts>;
  /** The one transaction. Nobody is asked in it. */
  readonly act: (ctx: Context, input: z.output<Op['input']>, facts: Facts) => Promise<JsonText | Done>;
  /**
   * After the commit: what others add to the answer, or do because of it. It is also run for the repetition of
   * a request with an Idempotency-Key, on what was stored, and may therefore run twice.
   */
  readonly finish?: (
    ctx: Context,
    done: Done,
    input: z.output<Op['input']>,
  ) => Promise<JsonText | z.input<Op['output']>>;
  /**
   * Stores for repetitions what `finish` answers in the place of what the transaction did; `finish` is then run on its
   * own answer. For work of another service that is done once, and cannot be told from the records later.
   */
  readonly keep?: true;
}

/** Returns the steps; the operation is there to give them their types. */
export function inSteps<Op extends Operation, Facts = undefined, Done = z.output<Op['output']>>(
  _operation: Op,
  steps: Steps<Op, Facts, Done>,
): Stepped<Op> {
  return steps;
}

/** A handler for each operation: a forgotten or an extra one is a type error. */
export type Handlers<Ops extends Operations> = { readonly [Name in keyof Ops]: Handler<Ops[Name]> };

/** Returns its argument; it exists to give the handlers their types. */
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
  readonly keep?: true;
}

/** A contract with its handlers, by the names callers use: `hotnesses.find`. */
export function proceduresOf<const C extends Contract>(
  contract: C,
  handlers: { readonly [Resource in keyof C]: Handlers<C[Resource]> },
): ReadonlyMap<string, Procedure> {
  const procedures = new Map<string, Procedure>();
  for (const [resource, operations] of Object.entries(contract)) {
    for (const [verb, operation] of Object.entries(operations)) {
      // The types above tie each handler to its operation; a map by name cannot say so.
      const handler = handlers[resource]?.[verb] as Procedure['act'] | Omit<Procedure, 'name' | 'operation'>;
      const steps = typeof handler === 'function' ? { act: handler } : handler;
      const name = `${resource}.${verb}`;
      procedures.set(name, { name, operation, ...steps });
    }
  }
  return procedures;
}

/** Refuses what a policy does not allow. */
export function demand(allowed: boolean): void {
  if (!allowed) throw forbidden();
}
