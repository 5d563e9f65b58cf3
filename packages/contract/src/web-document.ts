import type { z } from 'zod';

/** `oauth` adds the members of RFC 6749 to those of the JSON API. */
export type ErrorForm = 'page' | 'oauth';

/** The public documentation of a web operation, whose input and output are raw. */
export interface WebDocument {
  /** The audience, if it is not clients of the API: people who follow a link, or carriers and mail servers. */
  readonly audience?: 'people' | 'carriers';
  /** The form of errors that are not responses of the operation: that of the JSON API by default, and a page for people. */
  readonly errors?: ErrorForm;
  readonly query?: z.ZodObject;
  /** Schemas of the body, by content type. */
  readonly body?: Readonly<Record<string, z.ZodType>>;
  /** Whether the body is an e-mail, whose parts have their own charsets. */
  readonly isMail?: true;
  /** Schemas of the responses, by status and content type; without a schema, the response is text. */
  readonly answers: Readonly<Record<number, Readonly<Record<string, z.ZodType | null>>>>;
}
