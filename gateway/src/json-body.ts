import type { IncomingHttpHeaders } from 'node:http';
import { invalidField, malformedBody } from '@crm/contract';
import { errorOfJsonAsForm, readFormText } from '@crm/query';
import type { InputFields } from './input-fields.ts';

/** Recursive code would overflow the stack on deeper values, which no operation needs. */
const maxDepth = 32;

/**
 * Reads a body: valid UTF-8, JSON, no key that could reach a prototype. Undefined for an empty body. Throws
 * BadRequest for any other.
 */
export function readJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  const value = parse(decodeUtf8(bytes));
  inspect(value, []);
  return value;
}

/**
 * Reads a form, application/x-www-form-urlencoded, with flat names or names in brackets as in a query string. Every
 * leaf is a string, which the contract reads like a string in JSON. Throws BadRequest for anything malformed.
 */
export function readForm(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  const text = decodeUtf8(bytes);
  // As a single unknown field it would be ignored, so an empty record would be created.
  const message = errorOfJsonAsForm(text);
  if (message !== undefined) throw malformedBody({ message });
  const value = readFormText(text);
  inspect(value, []);
  return value;
}

export const isForm = (headers: IncomingHttpHeaders): boolean =>
  headers['content-type']?.toLowerCase().startsWith('application/x-www-form-urlencoded') ?? false;

/** A name without brackets cannot say that a list has one value, so a single value of a list becomes a list of one. */
export function withLists(form: Readonly<Record<string, unknown>>, { body }: InputFields) {
  const entries = Object.entries(form).map(([name, value]) => {
    const isAlone = typeof value === 'string' && value !== '' && body[name]?.type === 'array';
    return [name, isAlone ? [value] : value];
  });
  return Object.fromEntries(entries) as Readonly<Record<string, unknown>>;
}

/** Narrows a body to an object. Throws BadRequest for a missing body and for an array, a string or null. */
export function objectIn(body: unknown): Readonly<Record<string, unknown>> {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) {
    return body as Readonly<Record<string, unknown>>;
  }
  const message = body === undefined ? 'The request has no body.' : 'The body must be a JSON object.';
  throw malformedBody({ message });
}

// Fatal, because an invalid byte would otherwise be stored silently as another character.
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Throws BadRequest for invalid UTF-8. */
export function decodeUtf8(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw malformedBody({ message: 'The body is not valid UTF-8.' });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw malformedBody({ message: 'The body is not valid JSON.' });
  }
}

function inspect(value: unknown, path: readonly string[]): void {
  // A number too large for a double is parsed as Infinity, which would reach the service as null.
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw invalidField(path.join('.') || 'body', { message: 'is too large', reason: 'out_of_range' });
  }
  if (typeof value !== 'object' || value === null) return;
  if (path.length >= maxDepth)
    throw malformedBody({ message: `The body is nested more than ${maxDepth} levels deep.` });
  if (!Array.isArray(value)) refusePoison(value);
  for (const [key, inner] of Object.entries(value)) inspect(inner, [...path, key]);
}

function refusePoison(value: object) {
  const maker = Object.hasOwn(value, 'constructor') ? value.constructor : undefined;
  const poisoned = typeof maker === 'object' && maker !== null && 'prototype' in maker;
  if (poisoned || Object.hasOwn(value, '__proto__')) {
    throw malformedBody({
      message: 'The body contains a forbidden key: __proto__ or constructor.prototype.',
    });
  }
}
