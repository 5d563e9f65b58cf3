import type { z } from 'zod';
import type { Contract, Operation } from './operation.ts';
import type { Problem } from './refusal.ts';

/** The errors of every procedure, as tRPC transmits them. */
export interface TrpcError {
  readonly message: string;
  readonly code: number;
  readonly data: {
    /** The error code of tRPC, such as NOT_FOUND. */
    readonly code: string;
    readonly httpStatus: number;
    readonly path?: string;
    readonly problem: Problem;
  };
}

/** JSON is sent as it is, without a transformer. */
interface RootTypes {
  readonly ctx: never;
  readonly meta: never;
  readonly errorShape: TrpcError;
  readonly transformer: false;
}

/** What tRPC infers from a procedure. It is a function only for tRPC's constraints, and is never called. */
interface ProcedureOf<Op extends Operation> {
  (options: unknown): Promise<never>;
  readonly _def: {
    readonly $types: {
      readonly input: InputOf<Op>;
      readonly output: OutputOf<Op>;
      errorShape: unknown;
    };
    readonly procedure: true;
    readonly type: Op['kind'];
    readonly meta: unknown;
    readonly experimental_caller: boolean;
    readonly inputs: never;
  };
  readonly meta: never;
}

/** A subscription returns a sequence of outputs. */
type OutputOf<Op extends Operation> = Op['kind'] extends 'subscription'
  ? AsyncIterable<z.output<Op['output']>>
  : z.output<Op['output']>;

/** An input without required fields can be left out. */
type InputOf<Op extends Operation> =
  Record<never, never> extends z.input<Op['input']> ? z.input<Op['input']> | undefined : z.input<Op['input']>;

interface Router<Procedures> {
  readonly _def: {
    readonly _config: {
      readonly $types: RootTypes;
      readonly transformer: never;
      readonly errorFormatter: never;
      readonly allowOutsideOfServer: never;
      readonly isServer: never;
      readonly isDev: never;
      readonly pathSeparator: never;
    };
    readonly router: true;
    readonly procedures: Procedures;
    readonly record: Procedures;
    readonly lazy: never;
  };
  readonly createCaller: never;
}

/**
 * The tRPC router of a service, derived from its contract: `createTRPCClient<RouterOf<typeof contactsApi>>`. It is a type only,
 * and it is written out here rather than imported, so that a contract does not depend on a version of tRPC.
 */
export type RouterOf<C extends Contract> = Router<{
  readonly [Resource in keyof C]: { readonly [Verb in keyof C[Resource]]: ProcedureOf<C[Resource][Verb]> };
}>;
