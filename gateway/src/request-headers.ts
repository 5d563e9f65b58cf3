import type { IncomingMessage } from 'node:http';
import { wrong } from '@crm/contract';

/** The token of `Authorization: Bearer` (RFC 6750 §2.1), or undefined. */
export function bearerToken({ headers }: IncomingMessage): string | undefined {
  return /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
}

/** What a client prefers (RFC 7240), of what this API knows. */
export interface Preferences {
  /** `handling=strict`: ignore nothing in the request. */
  readonly strict: boolean;
  /** `return=minimal`: do not send the record that was changed. */
  readonly minimal: boolean;
}

const preference = /(?:^|,)\s*([\w-]+)(?:\s*=\s*(?:"([^"]*)"|([^\s,;"]*)))?/g;

/** Of several values for the same preference, the first one counts. */
export function preferencesOf({ headers }: IncomingMessage): Preferences {
  const sent = String(headers.prefer ?? '').toLowerCase();
  const values = new Map(
    [...sent.matchAll(preference)].reverse().map(([, name, quoted, plain]) => [name, quoted ?? plain]),
  );
  return { strict: values.get('handling') === 'strict', minimal: values.get('return') === 'minimal' };
}

/** The Idempotency-Key of a request. Throws BadRequest for an empty one and for more than one. */
export function idempotencyKeyOf({ headersDistinct }: IncomingMessage): string | undefined {
  const [key, ...others] = headersDistinct['idempotency-key'] ?? [];
  if (key === undefined) return undefined;
  if (key !== '' && others.length === 0) return key;
  throw wrong('Idempotency-Key', key === '' ? 'must not be empty' : 'is given more than once');
}

/** Compressed bodies are refused: a small one could expand to a very large one. */
export function isEncoded({ headers }: IncomingMessage): boolean {
  return (headers['content-encoding'] ?? 'identity') !== 'identity';
}
