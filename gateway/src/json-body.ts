import { invalid, refusal } from '@crm/contract';

/** Deeper values are of no use to anyone, and code that walks them by recursion would run out of stack. */
const deepest = 32;

export const unsupportedMediaType = refusal(
  'UnsupportedMediaType',
  'A body must be JSON, sent as application/json and not compressed.',
);

/**
 * Reads a body: UTF-8 without a single wrong byte, JSON, no key that could reach a prototype. Nothing for an
 * empty one. Throws BadRequest for everything else.
 */
export function readJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  const value = parse(decodeUtf8(bytes));
  inspect(value, []);
  return value;
}

/** The object that a body must be. Throws BadRequest for a missing body and for an array, a text or null. */
export function objectIn(body: unknown): Readonly<Record<string, unknown>> {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) {
    return body as Readonly<Record<string, unknown>>;
  }
  const message = body === undefined ? 'The request has no body.' : 'The body must be a JSON object.';
  throw invalid({ message });
}

// Fatal, because otherwise a wrong byte would be stored as another character without anyone noticing.
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Throws BadRequest for a single wrong byte. */
export function decodeUtf8(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw invalid({ message: 'The body is not well-formed UTF-8.' });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid({ message: 'The body is not well-formed JSON.' });
  }
}

function inspect(value: unknown, path: readonly string[]): void {
  // A number too large for a double reads as Infinity, which on its way to a service would become null.
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw invalid({ errors: { [path.join('.') || 'body']: 'is a number that is too large' } });
  }
  if (typeof value !== 'object' || value === null) return;
  if (path.length >= deepest) throw invalid({ message: `The body is nested more than ${deepest} deep.` });
  if (!Array.isArray(value)) refusePoison(value);
  for (const [key, inner] of Object.entries(value)) inspect(inner, [...path, key]);
}

function refusePoison(value: object) {
  const maker = Object.hasOwn(value, 'constructor') ? value.constructor : undefined;
  const poisoned = typeof maker === 'object' && maker !== null && 'prototype' in maker;
  if (poisoned || Object.hasOwn(value, '__proto__')) {
    throw invalid({ message: 'The body has a key that is not allowed: __proto__ or constructor.prototype.' });
  }
}
