import { z } from 'zod';
import { id } from './fields.ts';
import { creating } from './ignoring.ts';
import type { Refusal } from './refusal.ts';
import type { WebDocument } from './web-document.ts';

export type Verb = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/**
 * The holders of service tokens: the gateway, which passes on raw requests, the services that call others, and programs of other
 * teams, which subscribe to events.
 */
export const serviceTokenHolders = [
  'gateway',
  'contacts',
  'scheduling',
  'campaigns-templates',
  'leads-routing',
  'platform',
] as const;

/** The callers that act as the system, each with its own credential: these, and the crm command. */
export type SystemCaller = (typeof serviceTokenHolders)[number] | 'operator';

export type Kind = 'query' | 'mutation' | 'subscription';

/** A file that is sent as one response. The input of its operation has a `type` and, for all parts but the first, a `cursor`. */
export interface Download {
  /** The name of the file, without an extension. */
  readonly name: string;
  /** The extensions of its content types; the first is the default. */
  readonly types: Readonly<Record<string, string>>;
}

/** The output of an operation with a download. */
export const FilePart = z.object({
  text: z.string(),
  type: z.string().optional().describe('The content type of the whole file, if only one is possible'),
  next: z.string().nullable().describe('The cursor of the next part; null after the last one'),
});

/**
 * A file in a request: as its body, or as the file of a form. The operation is first called without the file, with the fields of
 * the query and of the form, the `type` of the file and its `name`. Its response has the `id` under which the gateway then sends
 * the file in parts to another procedure, see `UploadPart`.
 */
export interface Upload {
  /** The procedure of the same service that receives the parts, and returns the response for the client. */
  readonly parts: string;
  /** The content types of the file; the first is assumed if type and name do not determine it. */
  readonly types: readonly [string, ...string[]];
  readonly maxBytes: number;
}

/** The input of the procedure that receives the parts of files. Its output is what the operation returns. */
export const UploadPart = z.object({
  id,
  index: z.int().min(0).describe('The number of the part, from 0. A repeated part changes nothing'),
  text: z.string().describe('Empty if the part only marks the end'),
  is_last: z.boolean(),
  problem: z.string().optional().describe('Why the file was rejected'),
});

/** What the author of an operation declares. */
interface Described<In extends z.ZodType, Out extends z.ZodType> {
  readonly summary: string;
  /** What a client should know beyond the summary, instead of the usual text for the method. */
  readonly details?: string;
  /** An example body, for operations in which typical values of the fields would contradict each other. */
  readonly example?: Readonly<Record<string, unknown>>;
  readonly input: In;
  readonly output: Out;
  /** `false` for a POST that creates no record: it returns 200 instead of 201. */
  readonly creates?: false;
  /** For a query whose response is a file of any length, which the gateway requests in parts. */
  readonly download?: Download;
  /** For a POST whose work continues after the response: it returns 202. */
  readonly accepted?: true;
  /** Query parameters that are part of the input, in an operation that is not a list. */
  readonly query?: readonly string[];
  readonly refuses?: readonly Refusal[];
  /** `false` for a mutation without a dry run: it calls an external party, or its result depends on who is first. */
  readonly dryRun?: false;
  /** Only users themselves may do this: it is refused to a broker who acts with the access token of a sub-account. */
  readonly personal?: true;
  /** For a query whose response lets its reader write, such as an access token. */
  readonly scope?: 'write';
}

/** One operation of a service: its procedure, REST route and entry in the OpenAPI document in one place. */
export interface Operation<
  In extends z.ZodType = z.ZodType,
  Out extends z.ZodType = z.ZodType,
  OfKind extends Kind = Kind,
> extends Described<In, Out> {
  /** The method and path of the REST API. Without it the operation is for internal callers only. */
  readonly rest?: `${Verb} /${string}`;
  /** A query changes nothing; a mutation is one transaction; a subscription returns a sequence of outputs, over tRPC only. */
  readonly kind: OfKind;
  /** Who may call: a user, the system itself (workers and operators), or anyone at all, without a token. */
  readonly for: 'user' | 'system' | 'anyone';
  /** For an operation for the system: who may call it. Any other service credential is refused. */
  readonly callers?: readonly SystemCaller[];
  readonly refuses: readonly Refusal[];
  /** For a POST with a file. */
  readonly upload?: Upload;
  /** The response contains a secret that is shown once and never stored, so an Idempotency-Key is not allowed. */
  readonly secret?: true;
  /** Set for an operation that uses another protocol than the JSON API. */
  readonly web?: WebDocument;
}

/** An operation for the system lists its callers; without them, it does not compile. */
type Audience =
  | { readonly for: 'user' | 'anyone' }
  | { readonly for: 'system'; readonly callers: readonly [SystemCaller, ...SystemCaller[]] };

/** The audience of an operation that only the crm command calls. */
export const forOperator = { for: 'system', callers: ['operator'] } as const;

type KindOf<Rest extends string> = Rest extends `GET ${string}` ? 'query' : 'mutation';

/** A public operation: GET is a query, everything else a mutation. */
export function operation<
  In extends z.ZodType,
  Out extends z.ZodType,
  const Rest extends `${Verb} /${string}`,
>(
  draft: Described<In, Out> & { readonly rest: Rest },
): Operation<In, Out, KindOf<Rest>> & { readonly rest: Rest } {
  const kind = (draft.rest.startsWith('GET ') ? 'query' : 'mutation') as KindOf<Rest>;
  return { kind, for: 'user', refuses: [], ...draft, input: inputOf(draft) };
}

const inputOf = <In extends z.ZodType>(draft: Described<In, z.ZodType> & Pick<Operation, 'rest'>): In =>
  successOf(draft) === 201 && draft.input instanceof z.ZodObject ? creating(draft.input) : draft.input;

/** An operation with a file. */
export const withUpload = <Op extends Operation>(
  given: Op,
  upload: Upload,
): Op & { readonly upload: Upload } => ({
  ...given,
  upload,
});

/** An operation for internal callers: without a REST route or an entry in the public document. */
export function internal<In extends z.ZodType, Out extends z.ZodType, const OfKind extends Kind>(
  draft: Described<In, Out> & Pick<Operation<In, Out, OfKind>, 'kind' | 'secret'> & Audience,
): Operation<In, Out, OfKind> {
  return { refuses: [], ...draft };
}

/** The HTTP status of a successful response. */
export function successOf({
  rest,
  creates,
  accepted,
}: Pick<Operation, 'rest' | 'creates' | 'accepted'>): 200 | 201 | 202 {
  if (accepted) return 202;
  return creates !== false && rest?.startsWith('POST ') ? 201 : 200;
}

/** The scope that an access token needs. */
export const scopeOf = ({ kind, scope }: Pick<Operation, 'kind' | 'scope'>): 'read' | 'write' =>
  scope ?? (kind === 'mutation' ? 'write' : 'read');

/** Whether an operation supports a dry run, which changes nothing. */
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
