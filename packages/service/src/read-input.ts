import {
  invalid,
  listingOf,
  noRecord,
  type Operation,
  pathParameters,
  type Refused,
  suggestion,
} from '@crm/contract';
import { z } from 'zod';

/** Reads a request by the operation's schema. Throws the refusal that names each field that is wrong. */
export function readInput(operation: Operation, raw: unknown, strict: boolean): unknown {
  if (strict) refuseUnknownKeys(operation, raw);
  const result = operation.input.safeParse(raw);
  if (result.success) return result.data;
  throw hiddenByPath(operation, raw, result.error) ?? invalidInput(result.error);
}

/** An id that cannot be one names a record that does not exist. */
function hiddenByPath({ rest }: Operation, raw: unknown, error: z.ZodError): Refused | undefined {
  if (!rest) return undefined;
  const wrong = new Set(error.issues.map(({ path }) => path[0]));
  const parameter = pathParameters(rest).find((name) => wrong.has(name));
  return parameter === undefined ? undefined : noRecord((raw as Record<string, unknown>)[parameter]);
}

function invalidInput(error: z.ZodError): Refused {
  const errors: Record<string, string> = {};
  for (const { path, message } of error.issues) errors[path.join('.') || 'body'] ??= message;
  const [first, ...others] = Object.entries(errors).map(([field, message]) => `${field} ${message}`);
  const more = others.length > 0 ? ` (and ${others.length} more)` : '';
  return invalid({ message: `${first}${more}`, errors });
}

/**
 * What clients echo back or misspell is ignored, unless they ask for strictness (RFC 7240, handling=strict).
 * Lists are always strict about their parameters.
 */
function refuseUnknownKeys({ input, rest }: Operation, raw: unknown) {
  if (!(input instanceof z.ZodObject) || listingOf(input) || typeof raw !== 'object' || raw === null) return;
  const known = Object.keys(input.shape);
  const unknown = Object.keys(raw).filter((key) => !known.includes(key));
  const fixed = new Set(rest ? pathParameters(rest) : []);
  const writable = known.filter((key) => !key.startsWith('$') && !fixed.has(key));
  if (unknown.length === 0) return;
  const errors = Object.fromEntries(
    unknown.map((key) => [key, `cannot be written${suggestion(key, writable)}`]),
  );
  throw invalid({ message: `${unknown[0]} ${errors[unknown[0] ?? '']}`, errors });
}
