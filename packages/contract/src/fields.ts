import { z } from 'zod';
import { mustBeOneOf, required } from './field-error.ts';
import { readInstant, readLocalTime } from './read-time.ts';

/** The error of a value that is missing, and the one of an invalid value. */
const must = (message: string) => ({
  error: ({ input }: { input?: unknown }) => (input === undefined ? required.message : message),
});

const outOfRange = (bound: 'least' | 'most', limit: number) => ({ error: `must be at ${bound} ${limit}` });

/** A schema that first converts what clients send; `In` is what TypeScript callers may send. */
function converted<Out, In>(convert: (value: unknown) => unknown, schema: z.ZodType<Out>) {
  return z.preprocess(convert, schema) as unknown as z.ZodType<Out, In>;
}

const digits = /^-?\d{1,300}$/;
const decimal = /^-?\d{1,300}(\.\d{1,400})?([eE][+-]?\d{1,3})?$/;

/** The whole number in a text, which may be too large to be exact; undefined for any other text. */
export const readInteger = (value: string): number | undefined =>
  digits.test(value) ? Number(value) : undefined;

/** The number in a text, in any notation that programs use; undefined for any other text. */
export function readDecimal(value: string): number | undefined {
  const read = decimal.test(value) ? Number(value) : Number.NaN;
  return Number.isFinite(read) ? read : undefined;
}

/**
 * `z.coerce.number()` would also convert null, an empty string and true. A number that is too large to be exact becomes the
 * largest exact one, because zod would otherwise say that it is not a whole number.
 */
function fromDigits(sent: unknown): unknown {
  const value = typeof sent === 'string' ? (readInteger(sent) ?? sent) : sent;
  const isInexact = Number.isInteger(value) && !Number.isSafeInteger(value);
  return isInexact ? Math.sign(value as number) * Number.MAX_SAFE_INTEGER : value;
}

/** A whole number from `min` to `max`. Clients may also send it as text, in bodies as well as in query strings. */
export function integerFrom(min: number, max = 2147483647) {
  return converted<number, number | string>(
    fromDigits,
    z
      .int(must('must be a whole number'))
      .min(min, outOfRange('least', min))
      .max(max, outOfRange('most', max)),
  );
}

/** A whole number that fits into a column of four bytes. */
export const integer = integerFrom(-2147483648);

const idFrom = (min: 0 | 1) => z.int(must('must be the id of a record')).min(min).max(2147483647);

/** The id of a record. */
export const id = converted<number, number | string>(fromDigits, idFrom(1));

/** The id of a record that need not exist. A whole number that cannot be an id becomes 0. */
export const anyId = converted<number, number | string>((value) => {
  const sent = typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value;
  return Number.isInteger(sent) && !id.safeParse(sent).success ? 0 : sent;
}, idFrom(0));

/** The maximum number of ids in one call of an operation on many records. Callers send more in batches. */
export const maxIds = 1000;

export const ids = z.array(id).max(maxIds, { error: `must have at most ${maxIds} ids` });

/** The id of another record; some clients send 0 or an empty string for "none", which becomes null. */
export const reference = z.pipe(
  converted<number | null, number | string | null>(
    (sent) => {
      const value = fromDigits(sent);
      return value === 0 || value === '' ? null : value;
    },
    // From 0, because the schema documents what clients may send.
    idFrom(0).nullable(),
  ),
  idFrom(1).nullable(),
);

/** A field that may be null, for which clients also send an empty string as null. */
export const emptyAsNull = <Out, In>(schema: z.ZodType<Out, In>) =>
  converted<Out | null, In | '' | null>((value) => (value === '' ? null : value), schema.nullable());

/** A number with decimals; clients may also send it as text. */
export const number = converted<number, number | string>(
  (value) => (typeof value === 'string' ? (readDecimal(value) ?? value) : value),
  // Beyond these limits a double is no longer exact, so another number would be stored than the one sent.
  z
    .number(must('must be a number'))
    .min(Number.MIN_SAFE_INTEGER, outOfRange('least', Number.MIN_SAFE_INTEGER))
    .max(Number.MAX_SAFE_INTEGER, outOfRange('most', Number.MAX_SAFE_INTEGER)),
);

const flags = new Map<unknown, boolean>([
  ['true', true],
  ['false', false],
  ['1', true],
  ['0', false],
  [1, true],
  [0, false],
]);

/** Clients may also send it as text, or as 1 and 0. */
export const flag = converted<boolean, boolean | string | number>(
  (value) => flags.get(value) ?? value,
  z.boolean(must('must be true or false')),
);

/** One of a closed set of words, spelled exactly like this. */
export function choice<const Word extends string>(...words: readonly [Word, ...Word[]]) {
  return z.enum(words, must(mustBeOneOf(words)));
}

/** Text of at most `max` characters: code points, as PostgreSQL counts them. */
export function text(max: number) {
  return z
    .string(must('must be a string'))
    .max(max, { error: `must have at most ${max} characters` })
    .refine(isStorable, { error: storableError });
}

export const storableError = 'must not contain NUL or an unpaired surrogate';

/** PostgreSQL cannot store NUL, and an unpaired surrogate would come back as another character. */
export function isStorable(value: string): boolean {
  return !value.includes('\u0000') && value.isWellFormed();
}

export const color = z
  .string(must('must be a string'))
  .regex(/^#[0-9a-fA-F]{6}$/, must('must look like #3b274c'));

/** A local date and time: ISO 8601 with or without a zone; see `readLocalTime`. */
export const localTime = converted<string, string>(
  (value) => (typeof value === 'string' ? (readLocalTime(value) ?? 0) : value),
  z.string(must('must be a date and time such as 2026-03-01T09:00:00')).meta({ format: 'date-time-local' }),
);

/** An instant: ISO 8601 in, ISO 8601 in UTC with milliseconds out. */
export const instant = converted<string, string | Date>(
  (value) => {
    if (value instanceof Date) return value.toISOString();
    // Any other text becomes one that the schema below rejects.
    return typeof value === 'string' ? (readInstant(value) ?? '') : value;
  },
  z.iso.datetime(must('must be a date and time such as 2026-03-01T09:00:00Z')),
);

/** A name of the IANA time zone database. */
export const timeZone = text(64).refine(isTimeZone, {
  error: 'must be a time zone such as America/Los_Angeles',
});

/** Names known to be time zones. Creating a format for each check took half of the validation of an enrolment. */
const timeZones = new Set<string>();

function isTimeZone(name: string): boolean {
  if (timeZones.has(name)) return true;
  if (/^[+-]/.test(name)) return false; // An offset is not a zone: it has no daylight saving time.
  try {
    const { timeZone: canonical } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    // Other spellings of a name are valid as well, but would be too many to keep.
    if (canonical === name) timeZones.add(name);
    return true;
  } catch {
    return false;
  }
}
