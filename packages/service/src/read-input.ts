import {
  type FieldError,
  fieldErrorOf,
  invalidFields,
  inWords,
  listingOf,
  noRecord,
  notWritable,
  type Operation,
  pathParameters,
  type Refused,
} from '@crm/contract';
import { z } from 'zod';
import { convertLenient } from './convert-lenient.ts';

/** Parses a request by the operation's schema. Throws BadRequest with an error for each invalid field. */
export function readInput(operation: Operation, raw: unknown, strict: boolean): unknown {
  const unknown = strict ? unknownKeys(operation, raw) : {};
  const result = safeParse(operation.input, raw);
  if (result.success && Object.keys(unknown).length === 0) return result.data;
  const hidden = result.error && hiddenByPath(operation, raw, result.error);
  throw hidden ?? invalidFields({ errors: { ...unknown, ...(result.error && errorsIn(result.error, raw)) } });
}

/** Parses again after converting values that shipped clients send in another form. */
function safeParse(schema: z.ZodType, raw: unknown) {
  const result = schema.safeParse(raw, { error: inWords });
  if (result.success) return result;
  const converted = convertLenient(raw, result.error.issues);
  return converted === raw ? result : schema.safeParse(converted, { error: inWords });
}

/** An invalid id in the path refers to a record that does not exist. */
function hiddenByPath({ rest }: Operation, raw: unknown, error: z.ZodError): Refused | undefined {
  if (!rest) return undefined;
  const invalid = new Set(error.issues.map(({ path }) => path[0]));
  const parameter = pathParameters(rest).find((name) => invalid.has(name));
  return parameter === undefined ? undefined : noRecord((raw as Record<string, unknown>)[parameter]);
}

function errorsIn(error: z.ZodError, raw: unknown): Record<string, FieldError> {
  const errors = new Map<string, FieldError>();
  for (const issue of error.issues) {
    const name = nameOf(issue.path) || 'body';
    if (!errors.has(name)) errors.set(name, fieldErrorOf(issue, raw));
  }
  return Object.fromEntries(errors);
}

/** Clients send the conditions of an operation on one record as separate parameters. */
function nameOf(path: readonly PropertyKey[]): string {
  return (path[0] === '$where' && path.length > 1 ? path.slice(1) : path).join('.');
}

/**
 * The errors of unknown and read-only fields. These are ignored, unless the client asks for strict handling (RFC 7240, handling=strict).
 * Lists are always strict about their parameters.
 */
function unknownKeys({ input, rest }: Operation, raw: unknown): Record<string, FieldError> {
  if (!(input instanceof z.ZodObject) || listingOf(input) || typeof raw !== 'object' || raw === null)
    return {};
  const known = Object.keys(input.shape);
  const unknown = Object.keys(raw).filter((key) => !known.includes(key));
  const inPath = new Set(rest ? pathParameters(rest) : []);
  const writable = known.filter((key) => !key.startsWith('$') && !inPath.has(key));
  return Object.fromEntries(unknown.map((key) => [key, notWritable(key, writable)]));
}
