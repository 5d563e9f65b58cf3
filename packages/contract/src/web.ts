import { z } from 'zod';
import type { Operation } from './operation.ts';

/**
 * The headers of a request that a web operation is told, in lower case. Others stay at the edge; above all no
 * header that a client could use to pretend to be somewhere else.
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

/** A request as it came, for an operation that speaks another protocol than the JSON API: a page, OAuth, a callback. */
export const WebRequest = z.object({
  /** The parameters of the path. */
  params: z.record(z.string(), z.string()),
  /** The query of the URL as it was sent, without its question mark. */
  query: z.string(),
  headers: z.partialRecord(z.enum(webHeaders), z.string()),
  body: z.string(),
  /** The network address of the client. */
  address: z.string(),
});
export type WebRequest = z.output<typeof WebRequest>;

/** What is sent back, to the letter. A header with several values is sent several times. */
export const WebAnswer = z.object({
  status: z.int().min(200).max(599),
  headers: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  body: z.string(),
});
export type WebAnswer = z.output<typeof WebAnswer>;

/** What the public document says of a web operation, whose input and output are raw. */
export interface WebDocument {
  readonly query?: z.ZodObject;
  /** Of the body, by its content type. */
  readonly body?: Readonly<Record<string, z.ZodType>>;
  /** Of the answers, by status and content type; without a schema the answer is text. */
  readonly answers: Readonly<Record<number, Readonly<Record<string, z.ZodType | null>>>>;
}

type WebOperation = Operation<typeof WebRequest, typeof WebAnswer> & {
  readonly rest: `GET /${string}` | `POST /${string}`;
  readonly web: WebDocument;
};

interface Draft extends WebDocument {
  readonly rest: WebOperation['rest'];
  readonly kind: Operation['kind'];
  readonly summary: string;
}

/**
 * An operation that reads the request and writes the answer itself, headers included. It is open to anyone and
 * finds out by itself who is asking. What it answers is committed, whatever its status: a refusal may have to
 * be remembered, such as a wrong password.
 */
export function web({ rest, kind, summary, ...document }: Draft): WebOperation {
  return {
    rest,
    kind,
    summary,
    for: 'anyone',
    input: WebRequest,
    output: WebAnswer,
    refuses: [],
    web: document,
  };
}

/** A web operation for people rather than for programs, such as an HTML page or the form on it; the document leaves it out. */
export function page(draft: Pick<Draft, 'rest' | 'kind' | 'summary'>): WebOperation {
  return web({ ...draft, answers: {} });
}

/** Whether an operation is for programs, and so in the public document. */
export function isForPrograms({ web }: Pick<Operation, 'web'>): boolean {
  return !web || Object.keys(web.answers).length > 0;
}
