import type { campaignsTemplatesApi } from '@crm/campaigns-templates/api';
import type { contactsApi } from '@crm/contacts/api';
import type { Contract, FilePart, Operation, Operations, Upload } from '@crm/contract';
import type { identityApi } from '@crm/identity/api';
import type { leadsRoutingApi } from '@crm/leads-routing/api';
import type { schedulingApi } from '@crm/scheduling/api';
import type { z } from 'zod';
import type { Change, FollowOptions } from './changes.ts';
import type { CallOptions } from './send.ts';

/** The names of the operations with a REST path and JSON: no pages for people, and no files. */
type PublicNames<Ops extends Operations> = {
  [Name in keyof Ops]: Ops[Name] extends
    | { readonly web: unknown }
    | { readonly output: typeof FilePart }
    | { readonly upload: Upload }
    ? never
    : Ops[Name] extends { readonly rest: string }
      ? Name
      : never;
}[keyof Ops];

type Public<C extends Contract> = {
  readonly [Resource in keyof C as PublicNames<C[Resource]> extends never ? never : Resource]: Pick<
    C[Resource],
    PublicNames<C[Resource]>
  >;
};

/** The operations of the REST API. Only types: no contract is loaded at run time. */
export type Api = Public<typeof identityApi> &
  Public<typeof contactsApi> &
  Public<typeof schedulingApi> &
  Public<typeof campaignsTemplatesApi> &
  Public<typeof leadsRoutingApi>;

/** The method and path of each operation. */
export type Routes = {
  readonly [Resource in keyof Api]: {
    readonly [Name in keyof Api[Resource]]: Api[Resource][Name] extends { readonly rest: infer Rest }
      ? Rest
      : never;
  };
};

type InputOf<Op> = Op extends Operation<infer In> ? z.input<In> : never;
type OutputOf<Op> = Op extends Operation<z.ZodType, infer Out> ? z.output<Out> : never;

/** The inputs of all operations: `Inputs['contacts']['create']`. */
export type Inputs = {
  readonly [Resource in keyof Api]: { readonly [Name in keyof Api[Resource]]: InputOf<Api[Resource][Name]> };
};

/** The results of all operations: `Outputs['contacts']['get']` is a contact. */
export type Outputs = {
  readonly [Resource in keyof Api]: { readonly [Name in keyof Api[Resource]]: OutputOf<Api[Resource][Name]> };
};

type Call<Input, Result, Options = CallOptions> =
  Record<never, never> extends Input
    ? (input?: Input, options?: Options) => Result
    : (input: Input, options?: Options) => Result;

type Calls<Ops> = {
  readonly [Name in keyof Ops as Name extends 'find' ? 'list' : Name]: Call<
    InputOf<Ops[Name]>,
    Promise<OutputOf<Ops[Name]>>
  >;
};

type RecordIn<Page> = Page extends { readonly data: readonly (infer One)[] } ? One : never;

type Generated<One> = AsyncGenerator<One, void, undefined>;

/** `all` reads all pages of a list automatically. */
type Iteration<Ops> = Ops extends { readonly find: infer Op }
  ? { readonly all: Call<InputOf<Op>, Generated<RecordIn<OutputOf<Op>>>> }
  : unknown;

/**
 * `changes` follows a list whose records show when they were changed. Lists without `get` are excluded, such as the contacts of a
 * static list: adding a record to one does not change the record.
 */
type Following<Ops> = Ops extends { readonly find: infer Op; readonly get: unknown }
  ? RecordIn<OutputOf<Op>> extends { readonly modified_at: string }
    ? { readonly changes: Call<InputOf<Op>, Generated<Change<RecordIn<OutputOf<Op>>>>, FollowOptions> }
    : unknown
  : unknown;

export type Crm = {
  readonly [Resource in keyof Api]: Calls<Api[Resource]> &
    Iteration<Api[Resource]> &
    Following<Api[Resource]>;
};
