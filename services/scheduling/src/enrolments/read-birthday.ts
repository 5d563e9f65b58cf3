/** A day of the year; 29 February is 28 February in years without it. */
export interface Birthday {
  readonly month: number;
  readonly day: number;
}

interface Reading extends Birthday {
  readonly year?: number;
}

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const fullNames = 'january february march april may june july august september october november december'
  .split(' ')
  .map((name, index) => [name, index + 1] as const);
const numberOf = new Map([
  ...months.map((name, index) => [name, index + 1] as const),
  ...fullNames,
  ['sept', 9] as const,
]);

/** A two-digit year may have an apostrophe before it, and is ignored. */
const year = String.raw`(?:[\s,./-]+'?(?<year>\d{4}|\d{2}))?`;
const word = String.raw`(?<name>[a-z]{3,9})\.?`;
const ordinal = String.raw`(?<day>\d{1,2})(?:st|nd|rd|th)?`;
const gap = String.raw`[\s,./-]*`;

const yearFirst = /^(?<year>\d{4})([-/.])(?<month>\d{1,2})\2(?<day>\d{1,2})(?:[t\s].*)?$/;
const withoutYear = /^(?:--)?(?<first>\d{1,2})[-/](?<second>\d{1,2})$/;
const yearLast = /^(?<first>\d{1,2})([-/])(?<second>\d{1,2})\2(?<year>\d{4})$/;
const shortYear = /^(?<first>\d{1,2})\/(?<second>\d{1,2})\/\d{2}$/;
const dotted = /^(?<first>\d{1,2})\.(?<second>\d{1,2})\.(?:(?<year>\d{4}))?$/;
const monthNamed = new RegExp(`^${word}${gap}${ordinal}${year}$`);
const dayThenName = new RegExp(`^${ordinal}${gap}(?:of )?${word}${year}$`);

/**
 * Reads a birthday as people write it: `1980-05-31`, `05/31/1980`, `05-31`, `May 31, 1980`, `31 May`. Two numbers are the month
 * and the day, unless only the second can be a month. Undefined for a text that is not a date, or is ambiguous.
 */
export function readBirthday(text: string): Birthday | undefined {
  const reading = readingOf(text.trim().toLowerCase());
  if (!reading) return undefined;
  const { month, day } = reading;
  return isDay(reading) ? { month, day } : undefined;
}

function readingOf(text: string): Reading | undefined {
  const iso = groupsOf(yearFirst, text);
  if (iso) return { month: Number(iso.month), day: Number(iso.day), year: Number(iso.year) };
  const named = groupsOf(monthNamed, text) ?? groupsOf(dayThenName, text);
  if (named) return withYear({ month: numberOf.get(named.name ?? '') ?? 0, day: Number(named.day) }, named);
  const numbers = groupsOf(withoutYear, text) ?? groupsOf(yearLast, text);
  if (numbers) return withYear(monthFirst(numbers) ?? dayFirst(numbers), numbers);
  const short = groupsOf(shortYear, text);
  // If the first number is not a month, it could be a day or a year.
  if (short) return monthFirst(short);
  const dots = groupsOf(dotted, text);
  return dots && withYear(eitherFirst(dots), dots);
}

type Groups = Readonly<Record<string, string | undefined>>;

function groupsOf(form: RegExp, text: string): Groups | undefined {
  return form.exec(text)?.groups;
}

function withYear(birthday: Birthday | undefined, { year: digits }: Groups): Reading | undefined {
  return birthday && { ...birthday, ...(digits?.length === 4 && { year: Number(digits) }) };
}

function monthFirst({ first, second }: Groups): Birthday | undefined {
  return Number(first) <= 12 ? { month: Number(first), day: Number(second) } : undefined;
}

function dayFirst({ first, second }: Groups): Birthday {
  return { month: Number(second), day: Number(first) };
}

/** Dots are used in both orders, so both must result in the same date, or only one may be possible. */
function eitherFirst(groups: Groups): Birthday | undefined {
  const readings = [{ month: Number(groups.first), day: Number(groups.second) }, dayFirst(groups)].filter(
    isDay,
  );
  const [one, other = one] = readings;
  return one?.month === other?.month ? one : undefined;
}

/** Whether the date exists: in its year, or without one in a leap year. */
function isDay({ month, day, year = 2000 }: Reading): boolean {
  if (month < 1 || month > 12 || day < 1) return false;
  return day <= new Temporal.PlainYearMonth(year, month).daysInMonth;
}
