import type { z } from 'zod';
import type { Refusal } from './refusal.ts';
import type { WebDocument } from './web.ts';

type Verb = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** One thing the world may ask: the procedure, the REST route and the document entry in one place. */
export interface Operation<In extends z.ZodType = z.ZodType, Out extends z.ZodType = z.ZodType> {
  /** Where integrators find it. Without it the operation is for our own callers only. */
  readonly rest?: `${Verb} /${string}`;
  /** A query changes nothing and needs the scope `read`; a mutation is one transaction and needs `write`. */
  readonly kind: 'query' | 'mutation';
  /** Who may call: a user, the system itself (workers and operators), or anyone at all, without a token. */
  readonly for: 'user' | 'system' | 'anyone';
  readonly summary: string;
  readonly input: In;
  readonly output: Out;
  /** Said of a POST that makes no record of its own: its success is 200 and not 201. */
  readonly creates?: false;
  /** Names of the URL's query that belong to the input itself, in an operation that is no list. */
  readonly query?: readonly string[];
  readonly refuses: readonly Refusal[];
  /** The answer holds a secret that is shown once. It is stored nowhere, so an Idempotency-Key is refused. */
  readonly secret?: true;
  /** Set for an operation that speaks another protocol than the JSON API. */
  readonly web?: WebDocument;
}

interface Draft<In extends z.ZodType, Out extends z.ZodType> {
  readonly summary: string;
  readonly input: In;
  readonly output: Out;
  readonly creates?: false;
  readonly query?: readonly string[];
  readonly refuses?: readonly Refusal[];
}

/** An operation of the public interface: GET is a query, everything else a mutation. */
export function operation<In extends z.ZodType, Out extends z.ZodType>(
  draft: Draft<In, Out> & { readonly rest: `${Verb} /${string}` },
): Operation<In, Out> & { readonly rest: `${Verb} /${string}` } {
  return { kind: draft.rest.startsWith('GET ') ? 'query' : 'mutation', for: 'user', refuses: [], ...draft };
}

/** An operation for our own callers: no REST route, not in the public document. */
export function internal<In extends z.ZodType, Out extends z.ZodType>(
  draft: Draft<In, Out> & Pick<Operation, 'kind' | 'for' | 'secret'>,
): Operation<In, Out> {
  return { refuses: [], ...draft };
}

/** The HTTP status of a success. */
export function successOf({ rest, creates }: Pick<Operation, 'rest' | 'creates'>): 200 | 201 {
  return creates !== false && rest?.startsWith('POST ') ? 201 : 200;
}

export type Operations = Readonly<Record<string, Operation>>;

/** All that a service may be asked, by resource. */
export type Contract = Readonly<Record<string, Operations>>;

/** The parameters a path template names: `/contacts/:contact_id/addresses/:id` has two. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '');
}
