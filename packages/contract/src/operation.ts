import type { z } from 'zod';
import type { Refusal } from './refusal.ts';
import type { WebDocument } from './web.ts';

type Verb = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** Who has a service token: the gateway, which passes on raw requests, and the services that call others. */
export const serviceTokenHolders = ['gateway', 'scheduling', 'campaigns-templates', 'leads-routing'] as const;

/** Those who act as the system, each with a credential of its own: these, and the crm command. */
export type SystemCaller = (typeof serviceTokenHolders)[number] | 'operator';

/** One operation of a service: its procedure, REST route and entry in the OpenAPI document in one place. */
export interface Operation<In extends z.ZodType = z.ZodType, Out extends z.ZodType = z.ZodType> {
  /** The method and path of the REST API. Without it the operation is for internal callers only. */
  readonly rest?: `${Verb} /${string}`;
  /** A query changes nothing and needs the scope `read`; a mutation is one transaction and needs `write`. */
  readonly kind: 'query' | 'mutation';
  /** Who may call: a user, the system itself (workers and operators), or anyone at all, without a token. */
  readonly for: 'user' | 'system' | 'anyone';
  /** Of an operation for the system: who may call it. Every other credential of a service is refused. */
  readonly callers?: readonly SystemCaller[];
  readonly summary: string;
  /** What a client should know beyond the summary, in place of what holds for most operations of its method. */
  readonly details?: string;
  /** A body as a client could send it, where typical values of the fields would contradict each other. */
  readonly example?: Readonly<Record<string, unknown>>;
  readonly input: In;
  readonly output: Out;
  /** `false` for a POST that creates no record: it returns 200 instead of 201. */
  readonly creates?: false;
  /** Query parameters of the URL that belong to the input itself, in an operation that is not a list. */
  readonly query?: readonly string[];
  readonly refuses: readonly Refusal[];
  /** The response contains a secret that is shown once and never stored, so an Idempotency-Key is not allowed. */
  readonly secret?: true;
  /** `false` for a mutation that cannot be tried: it asks somebody outside, or its result depends on who is first. */
  readonly dryRun?: false;
  /** Only users themselves may do it: it is refused to a broker who acts with the access token of a sub-account. */
  readonly personal?: true;
  /** Set for an operation that uses another protocol than the JSON API. */
  readonly web?: WebDocument;
}

interface Draft<In extends z.ZodType, Out extends z.ZodType> {
  readonly summary: string;
  readonly details?: string;
  readonly example?: Readonly<Record<string, unknown>>;
  readonly input: In;
  readonly output: Out;
  readonly creates?: false;
  readonly query?: readonly string[];
  readonly refuses?: readonly Refusal[];
  readonly dryRun?: false;
  readonly personal?: true;
}

/** An operation for the system names its callers; a type error reminds the author of a new one. */
type Audience =
  | { readonly for: 'user' | 'anyone' }
  | { readonly for: 'system'; readonly callers: readonly [SystemCaller, ...SystemCaller[]] };

/** An operation of the public interface: GET is a query, everything else a mutation. */
export function operation<In extends z.ZodType, Out extends z.ZodType>(
  draft: Draft<In, Out> & { readonly rest: `${Verb} /${string}` },
): Operation<In, Out> & { readonly rest: `${Verb} /${string}` } {
  return { kind: draft.rest.startsWith('GET ') ? 'query' : 'mutation', for: 'user', refuses: [], ...draft };
}

/** An operation for internal callers: without a REST route, and not in the public document. */
export function internal<In extends z.ZodType, Out extends z.ZodType>(
  draft: Draft<In, Out> & Pick<Operation, 'kind' | 'secret'> & Audience,
): Operation<In, Out> {
  return { refuses: [], ...draft };
}

/** The HTTP status of a successful response. */
export function successOf({ rest, creates }: Pick<Operation, 'rest' | 'creates'>): 200 | 201 {
  return creates !== false && rest?.startsWith('POST ') ? 201 : 200;
}

/** Whether a client may try an operation, which then changes nothing. */
export function hasDryRun({ kind, rest, web, dryRun }: Operation): boolean {
  return kind === 'mutation' && rest !== undefined && !web && dryRun !== false;
}

export type Operations = Readonly<Record<string, Operation>>;

/** The operations of a service, by resource. */
export type Contract = Readonly<Record<string, Operations>>;

/** The parameters of a path template: `/contacts/:contact_id/addresses/:id` has two. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '');
}
