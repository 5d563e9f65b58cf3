import { z } from 'zod';

/** What is said of a value that is missing, or wrong. */
const must = (message: string) => ({
  error: ({ input }: { input?: unknown }) => (input === undefined ? 'is required' : message),
});

/** A schema that first makes of what clients send what is meant; `In` is what TypeScript callers may send. */
function reading<Out, In>(read: (value: unknown) => unknown, schema: z.ZodType<Out>) {
  return z.preprocess(read, schema) as unknown as z.ZodType<Out, In>;
}

const digits = /^-?\d{1,16}$/;
const decimal = /^-?\d{1,15}(\.\d{1,10})?$/;

/**
 * A whole number that a column of four bytes can hold. Clients also send it as text, in bodies as in query
 * strings; `z.coerce.number()` would read null, an empty text and true as numbers.
 */
export const integer = reading<number, number | string>(
  (value) => (typeof value === 'string' && digits.test(value) ? Number(value) : value),
  z.int(must('must be a whole number')).min(-2147483648).max(2147483647),
);

/** A whole number that is at least `least` and at most `most`. */
export function integerFrom(least: number, most = 2147483647) {
  return reading<number, number | string>(
    (value) => (typeof value === 'string' && digits.test(value) ? Number(value) : value),
    z
      .int(must('must be a whole number'))
      .min(least, { error: `must be at least ${least}` })
      .max(most, { error: `must be at most ${most}` }),
  );
}

/** What identifies a record. */
export const id = reading<number, number | string>(
  (value) => (typeof value === 'string' && digits.test(value) ? Number(value) : value),
  z.int(must('must be the id of a record')).min(1).max(2147483647),
);

/** The id of another record; 0 is how some clients say «none», and becomes null. */
export const reference = reading<number | null, number | string | null>(
  (value) => (value === 0 || value === '0' ? null : value),
  id.nullable(),
);

/** A number with decimals, also sent as text. */
export const number = reading<number, number | string>(
  (value) => (typeof value === 'string' && decimal.test(value) ? Number(value) : value),
  // Beyond these a double no longer tells whole numbers apart, and would store another than was sent.
  z.number(must('must be a number')).min(Number.MIN_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER),
);

const flags = new Map<unknown, boolean>([
  ['true', true],
  ['false', false],
  ['1', true],
  ['0', false],
  [1, true],
  [0, false],
]);

/** Yes or no; clients also send it as text or as 1 and 0. */
export const flag = reading<boolean, boolean | string | number>(
  (value) => flags.get(value) ?? value,
  z.boolean(must('must be true or false')),
);

/** One of a closed set of words, in exactly this spelling. */
export function choice<const Word extends string>(...words: readonly [Word, ...Word[]]) {
  return z.enum(words, must(`must be one of ${words.join(', ')}`));
}

/** Text of at most `max` characters: code points, as PostgreSQL counts them. */
export function text(max: number) {
  return z
    .string(must('must be a text'))
    .max(max, { error: `must have at most ${max} characters` })
    .refine(isStorable, { error: 'must not hold NUL or half a surrogate pair' });
}

/** PostgreSQL cannot store a NUL, and half a surrogate pair would come back as another character. */
export function isStorable(value: string): boolean {
  return !value.includes('\u0000') && value.isWellFormed();
}

export const color = z
  .string(must('must be a text'))
  .regex(/^#[0-9a-fA-F]{6}$/, must('must look like #3b274c'));

const instantForm = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}([.,]\d{1,9})?)?(Z|z|[+-]\d{2}(:?\d{2})?)?)?$/;

/**
 * The moment an ISO 8601 text names, as ISO text in UTC with milliseconds, or nothing.
 * A date alone is its first moment in UTC; a time without a zone is read as UTC.
 */
export function readInstant(value: string): string | undefined {
  const form = instantForm.exec(value);
  if (!form) return undefined;
  const iso = value.replace(' ', 'T');
  try {
    const instant = form[4]
      ? Temporal.Instant.from(iso)
      : Temporal.PlainDateTime.from(iso).toZonedDateTime('UTC').toInstant();
    const text = instant.toString({ fractionalSecondDigits: 3 });
    // Beyond these years ISO 8601 and PostgreSQL write a moment in different ways.
    return /^(?!0000)\d{4}-/.test(text) ? text : undefined;
  } catch {
    return undefined; // The form is right and the date is not, such as 30 February.
  }
}

/**
 * The moment or the wall clock that an ISO 8601 text names, in whole seconds: as ISO text in UTC where it has a zone,
 * else without one; or nothing. A date alone is its first second.
 */
export function readLocalTime(value: string): string | undefined {
  const hasZone = instantForm.exec(value)?.[4] !== undefined;
  const moment = readInstant(value);
  if (moment === undefined || !isKept(moment)) return undefined;
  const seconds = moment.slice(0, 19);
  return hasZone ? `${seconds}Z` : seconds;
}

/** Whether all zones write its year in four digits; a wall clock is turned into a moment and back. */
const isKept = (moment: string): boolean => moment > '0001-01-03' && moment < '9999-12-30';

/** A date and time for a wall clock: ISO 8601, with a zone or without; read as `readLocalTime` does. */
export const localTime = reading<string, string>(
  (value) => (typeof value === 'string' ? (readLocalTime(value) ?? 0) : value),
  z.string(must('must be a date and time such as 2026-03-01T09:00:00')).meta({ format: 'date-time-local' }),
);

/** A moment: ISO 8601 in, ISO 8601 in UTC with milliseconds out. */
export const instant = reading<string, string | Date>(
  (value) => {
    if (value instanceof Date) return value.toISOString();
    // A text that names no moment becomes one that nothing could take for a moment.
    return typeof value === 'string' ? (readInstant(value) ?? '') : value;
  },
  z.iso.datetime(must('must be a date and time such as 2026-03-01T09:00:00Z')),
);

/** A name of the IANA time zone database. */
export const timeZone = text(64).refine(isTimeZone, {
  error: 'must be a time zone such as America/Los_Angeles',
});

function isTimeZone(name: string): boolean {
  if (/^[+-]/.test(name)) return false; // An offset is no zone: it does not know summer time.
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
