import type { IncomingMessage } from 'node:http';
import { invalid } from '@crm/contract';

/** The token of `Authorization: Bearer` (RFC 6750 §2.1), or nothing. */
export function bearerToken({ headers }: IncomingMessage): string | undefined {
  return /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
}

/** Whether the client asks that nothing of its request be ignored (RFC 7240, handling=strict). */
export function wantsStrictness({ headers }: IncomingMessage): boolean {
  return /(^|,)\s*handling\s*=\s*"?strict"?\s*($|[,;])/i.test(String(headers.prefer ?? ''));
}

/** The Idempotency-Key of a request. Throws BadRequest for an empty one and for two, of which neither could be meant. */
export function idempotencyKeyOf({ headersDistinct }: IncomingMessage): string | undefined {
  const [key, ...others] = headersDistinct['idempotency-key'] ?? [];
  if (key === undefined) return undefined;
  if (key !== '' && others.length === 0) return key;
  const text = key === '' ? 'must not be empty' : 'is given more than once';
  throw invalid({ message: `Idempotency-Key ${text}`, errors: { 'Idempotency-Key': text } });
}

/** A compressed body is not unpacked: a small one could become a very large one. */
export function isEncoded({ headers }: IncomingMessage): boolean {
  return (headers['content-encoding'] ?? 'identity') !== 'identity';
}
