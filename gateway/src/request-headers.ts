import type { IncomingMessage } from 'node:http';
import { invalid } from '@crm/contract';

/** The token of `Authorization: Bearer` (RFC 6750 §2.1), or undefined. */
export function bearerToken({ headers }: IncomingMessage): string | undefined {
  return /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
}

/** Whether the client asks for strict handling, which ignores nothing in its request (RFC 7240). */
export function wantsStrictHandling({ headers }: IncomingMessage): boolean {
  return /(^|,)\s*handling\s*=\s*"?strict"?\s*($|[,;])/i.test(String(headers.prefer ?? ''));
}

/** The Idempotency-Key of a request. Throws BadRequest for an empty one and for more than one. */
export function idempotencyKeyOf({ headersDistinct }: IncomingMessage): string | undefined {
  const [key, ...others] = headersDistinct['idempotency-key'] ?? [];
  if (key === undefined) return undefined;
  if (key !== '' && others.length === 0) return key;
  const text = key === '' ? 'must not be empty' : 'is given more than once';
  throw invalid({ message: `Idempotency-Key ${text}`, errors: { 'Idempotency-Key': text } });
}

/** Compressed bodies are refused: a small one could expand to a very large one. */
export function isEncoded({ headers }: IncomingMessage): boolean {
  return (headers['content-encoding'] ?? 'identity') !== 'identity';
}
