import { type Contract, forbidden, type Operation, type Operations } from '@crm/contract';
import type { JsonText } from '@crm/data';
import type { z } from 'zod';
import type { Context } from './context.ts';

/** What carries out one operation. JSON text from the database is passed on as it is. */
export type Handler<Op extends Operation> = (
  ctx: Context,
  input: z.output<Op['input']>,
) => Promise<JsonText | z.input<Op['output']>>;

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
  readonly handler: (ctx: Context, input: unknown) => Promise<unknown>;
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
      const handler = handlers[resource]?.[verb] as Procedure['handler'];
      const name = `${resource}.${verb}`;
      procedures.set(name, { name, operation, handler });
    }
  }
  return procedures;
}

/** Refuses what a policy does not allow. */
export function demand(allowed: boolean): void {
  if (!allowed) throw forbidden();
}
