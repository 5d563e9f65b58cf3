import { isStorable, readInstant, readLocalTime, storableError } from './fields.ts';
import type { FieldKind } from './filterable.ts';

export type Scalar = string | number | boolean | null;

/** What is wrong with a value. */
interface ScalarError {
  readonly message: string;
}

const maxLength = 2000;

/** Reads a value of the field's kind; query strings bring everything as text. */
export function readScalar(
  raw: unknown,
  kind: FieldKind,
  choices: readonly string[] | undefined,
): Scalar | ScalarError {
  if (raw === null) return null;
  if (kind === 'text') return readText(raw, choices);
  if (raw === 'null' || raw === '') return null;
  if (kind === 'boolean') return readBoolean(raw);
  if (kind === 'instant') return readDate(raw);
  if (kind === 'localTime') return readLocal(raw);
  return readNumber(raw, kind);
}

export function isError(value: Scalar | ScalarError): value is ScalarError {
  return typeof value === 'object' && value !== null;
}

function readText(raw: unknown, choices: readonly string[] | undefined): string | ScalarError {
  if (typeof raw !== 'string') return { message: 'must be a string' };
  if ([...raw].length > maxLength) return { message: `must have at most ${maxLength} characters` };
  if (!isStorable(raw)) return { message: storableError };
  if (raw !== '' && choices && !choices.includes(raw))
    return { message: `must be one of ${choices.join(', ')}` };
  return raw;
}

function readBoolean(raw: unknown): boolean | ScalarError {
  if (raw === true || raw === 'true' || raw === '1' || raw === 1) return true;
  if (raw === false || raw === 'false' || raw === '0' || raw === 0) return false;
  return { message: 'must be true or false' };
}

function readDate(raw: unknown): string | ScalarError {
  const text = raw instanceof Date ? raw.toISOString() : raw;
  const instant = typeof text === 'string' ? readInstant(text) : undefined;
  return instant ?? { message: 'must be a date or a date and time such as 2026-03-01T09:00:00Z' };
}

function readLocal(raw: unknown): string | ScalarError {
  const local = typeof raw === 'string' ? readLocalTime(raw) : undefined;
  return local ?? { message: 'must be a date or a date and time such as 2026-03-01T09:00:00' };
}

function readNumber(raw: unknown, kind: 'integer' | 'number'): number | ScalarError {
  const form = kind === 'integer' ? /^-?\d{1,16}$/ : /^-?\d{1,15}(\.\d{1,10})?$/;
  const value = typeof raw === 'string' && form.test(raw) ? Number(raw) : raw;
  const isValid = kind === 'integer' ? Number.isSafeInteger(value) : Number.isFinite(value);
  if (typeof value === 'number' && isValid) return value;
  return { message: kind === 'integer' ? 'must be a whole number' : 'must be a number' };
}
