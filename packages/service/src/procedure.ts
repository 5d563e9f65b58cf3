import type { Operation } from '@crm/contract';
import type { Context } from './context.ts';

/** An operation with the steps that carry it out. */
export interface Procedure {
  /** `<resource>.<verb>`, such as `hotnesses.find`. */
  readonly name: string;
  readonly operation: Operation;
  readonly ask?: (ctx: Context, input: unknown) => Promise<unknown>;
  readonly act: (ctx: Context, input: unknown, facts?: unknown) => Promise<unknown>;
  readonly finish?: (ctx: Context, done: unknown, input: unknown) => Promise<unknown>;
  readonly complete?: (ctx: Context, done: unknown) => Promise<unknown>;
  readonly rehearse?: (ctx: Context, done: unknown) => Promise<unknown>;
  readonly keep?: true;
}
