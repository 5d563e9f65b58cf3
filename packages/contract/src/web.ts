import { z } from 'zod';
import { id } from './fields.ts';
import type { Kind, Operation, Upload } from './operation.ts';
import type { ErrorForm, WebDocument } from './web-document.ts';

/**
 * The request headers that a web operation receives, in lower case. No others are passed on, especially none with which a client
 * could fake its address.
 */
export const webHeaders = [
  'accept',
  'accept-language',
  'authorization',
  'content-type',
  'cookie',
  'if-none-match',
  'origin',
  'sec-fetch-mode',
  'sec-fetch-site',
  'user-agent',
  'x-twilio-signature',
] as const;

/** A raw request, for an operation with another protocol than the JSON API: a page, OAuth or a callback. */
export const WebRequest = z.object({
  /** The parameters of the path. */
  params: z.record(z.string(), z.string()),
  /** The query of the URL as it was sent, without the question mark. */
  query: z.string(),
  headers: z.partialRecord(z.enum(webHeaders), z.string()),
  body: z.string(),
  /** The network address of the client. */
  address: z.string(),
  /** For a response in parts: the requested part. Only the gateway adds it. */
  cursor: z.string().optional(),
});
export type WebRequest = z.output<typeof WebRequest>;

/** The response, sent exactly as it is. A header with several values is repeated. */
export const WebAnswer = z.object({
  status: z.int().min(200).max(599),
  headers: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  body: z.string(),
  /** For an operation with an upload: the parts of the file follow under this id, and then the response is sent. */
  id: id.optional(),
  /** For a response in parts: the cursor of the next part, which only adds to the body. */
  next: z.string().optional(),
});
export type WebAnswer = z.output<typeof WebAnswer>;

type WebOperation<OfKind extends Kind> = Operation<typeof WebRequest, typeof WebAnswer, OfKind> & {
  readonly rest: `GET /${string}` | `POST /${string}`;
  readonly web: WebDocument;
};

interface Draft<OfKind extends Kind> extends WebDocument {
  readonly rest: WebOperation<OfKind>['rest'];
  readonly kind: OfKind;
  readonly summary: string;
  readonly details?: string;
  readonly upload?: Upload;
}

/**
 * An operation that reads the raw request and writes the raw response, including headers. It is open to anyone and authenticates
 * the caller itself. Its transaction is committed with any status, because an error may have to be stored, such as a failed
 * sign-in.
 */
export function web<const OfKind extends Kind>({
  rest,
  kind,
  summary,
  details,
  upload,
  ...document
}: Draft<OfKind>): WebOperation<OfKind> {
  return {
    rest,
    kind,
    summary,
    ...(details !== undefined && { details }),
    ...(upload && { upload }),
    for: 'anyone',
    input: WebRequest,
    output: WebAnswer,
    refuses: [],
    web: document,
  };
}

/** A web operation for people rather than programs, such as an HTML page or its form; not in the public document. */
export function page<const OfKind extends Kind>(
  draft: Pick<Draft<OfKind>, 'rest' | 'kind' | 'summary' | 'upload'>,
): WebOperation<OfKind> {
  return web({ ...draft, audience: 'people', answers: {} });
}

/** The form of errors of a web operation for which its service has no response of its own. */
export function errorFormOf({ web }: Pick<Operation, 'web'>): ErrorForm | undefined {
  return web?.errors ?? (web?.audience === 'people' ? 'page' : undefined);
}

/** Whether an operation is for clients of the API, and therefore in the public document. */
export function isForPrograms({ web }: Pick<Operation, 'web'>): boolean {
  return web?.audience === undefined;
}
