import { type FieldError, notAnOption } from './field-error.ts';
import { isStorable, readDecimal, readInteger, storableError } from './fields.ts';
import type { FieldKind } from './filterable.ts';
import { readInstant, readLocalTime } from './read-time.ts';

export type Scalar = string | number | boolean | null;

/** The limits on the values of a text. */
export interface Values {
  readonly choices?: readonly string[] | undefined;
  /** Checks a value, if all values have one form, and returns what is wrong. */
  readonly form?: ((value: string) => string | undefined) | undefined;
}

const maxLength = 2000;

/** Reads a value of the field's kind; query strings contain everything as text. */
export function readScalar(raw: unknown, kind: FieldKind, values: Values = {}): Scalar | FieldError {
  if (raw === null) return null;
  if (kind === 'text') return readText(raw, values);
  if (raw === 'null' || raw === '') return null;
  if (kind === 'boolean') return readBoolean(raw);
  if (kind === 'instant') return readDate(raw);
  if (kind === 'localTime') return readLocal(raw);
  if (kind === 'duration') return readDuration(raw);
  return readNumber(raw, kind);
}

const wrongType = (message: string): FieldError => ({ message, reason: 'wrong_type' });

export function isError(value: Scalar | FieldError): value is FieldError {
  return typeof value === 'object' && value !== null;
}

function readText(raw: unknown, { choices, form }: Values): string | FieldError {
  if (typeof raw !== 'string') return wrongType('must be a string');
  if ([...raw].length > maxLength)
    return { message: `must have at most ${maxLength} characters`, reason: 'too_long' };
  if (!isStorable(raw)) return { message: storableError, reason: 'invalid_value' };
  if (raw === '') return raw;
  if (choices && !choices.includes(raw)) return notAnOption(raw, choices);
  const problem = form?.(raw);
  return problem === undefined ? raw : { message: problem, reason: 'invalid_value' };
}

function readBoolean(raw: unknown): boolean | FieldError {
  if (raw === true || raw === 'true' || raw === '1' || raw === 1) return true;
  if (raw === false || raw === 'false' || raw === '0' || raw === 0) return false;
  return wrongType('must be true or false');
}

function readDate(raw: unknown): string | FieldError {
  const text = raw instanceof Date ? raw.toISOString() : raw;
  const instant = typeof text === 'string' ? readInstant(text) : undefined;
  return instant ?? wrongType('must be a date or a date and time such as 2026-03-01T09:00:00Z');
}

function readLocal(raw: unknown): string | FieldError {
  const local = typeof raw === 'string' ? readLocalTime(raw) : undefined;
  return local ?? wrongType('must be a date or a date and time such as 2026-03-01T09:00:00');
}

/** The seconds of a duration. */
function readDuration(raw: unknown): number | FieldError {
  const [, hours, minutes, seconds] = (typeof raw === 'string' && durationForm.exec(raw)) || [];
  if (hours === undefined) return wrongType('must be hours, minutes and seconds such as 26:30:00');
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}

const durationForm = /^(\d{1,9}):([0-5]\d):([0-5]\d)$/;

function readNumber(raw: unknown, kind: 'integer' | 'number'): number | FieldError {
  const read = kind === 'integer' ? readInteger : readDecimal;
  const value = typeof raw === 'string' ? read(raw) : raw;
  if (typeof raw === 'string' && /^[\d\s]+(?:,[\d\s]+)+$/.test(raw))
    return wrongType('must be one number: repeat the parameter for each of several numbers');
  if (typeof value !== 'number' || !Number.isFinite(value)) return notANumber(kind);
  if (kind === 'number' || Number.isSafeInteger(value)) return value;
  return Number.isInteger(value) ? tooLarge(value) : notANumber(kind);
}

const notANumber = (kind: 'integer' | 'number') =>
  wrongType(kind === 'integer' ? 'must be a whole number' : 'must be a number');

const tooLarge = (value: number): FieldError => ({
  message:
    value > 0 ? `must be at most ${Number.MAX_SAFE_INTEGER}` : `must be at least ${Number.MIN_SAFE_INTEGER}`,
  reason: 'out_of_range',
});
