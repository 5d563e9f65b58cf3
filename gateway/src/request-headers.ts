import type { IncomingMessage } from 'node:http';
import { invalidField } from '@crm/contract';

/** The Idempotency-Key of a request. Throws BadRequest for an empty one and for more than one. */
export function idempotencyKeyOf({ headersDistinct }: IncomingMessage): string | undefined {
  const [key, ...others] = headersDistinct['idempotency-key'] ?? [];
  if (key === undefined) return undefined;
  if (key !== '' && others.length === 0) return key;
  throw invalidField('Idempotency-Key', key === '' ? 'must not be empty' : 'is given more than once');
}

/** Compressed bodies are refused: a small one could expand to a very large one. */
export function isEncoded({ headers }: IncomingMessage): boolean {
  const { 'content-encoding': content = 'identity', 'transfer-encoding': transfer = 'chunked' } = headers;
  return content.toLowerCase() !== 'identity' || transfer.toLowerCase() !== 'chunked';
}
