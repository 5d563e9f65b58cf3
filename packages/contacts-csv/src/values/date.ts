import { dateOfDayNumber, dayNumbered } from './spoiled.ts';
import { asItIs, type Checked, converted } from './value.ts';

interface Parts {
  readonly year?: number;
  readonly month: number;
  readonly day: number;
}

const monthNumbers = new Map(
  'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ').map((name, index) => [name, index + 1]),
);

const yearFirst = /^(?<year>\d{4})(?<gap>[-/.])(?<month>\d{1,2})\k<gap>(?<day>\d{1,2})$/;
const yearLast = /^(?<first>\d{1,2})(?<gap>[-/.])(?<second>\d{1,2})\k<gap>'?(?<year>\d{4}|\d{2})$/;
const withoutYear = /^(?:--)?(?<first>\d{1,2})[-/](?<second>\d{1,2})$/;
const year = String.raw`(?:[\s,./-]+'?(?<year>\d{4}|\d{2}))?`;
const monthNamed = new RegExp(
  String.raw`^(?<name>[a-z]{3,9})\.?[\s.-]*(?<day>\d{1,2})(?:st|nd|rd|th)?${year}$`,
);
const dayThenName = new RegExp(
  String.raw`^(?<day>\d{1,2})(?:st|nd|rd|th|\.)?[\s.-]*(?:of )?(?<name>[a-z]{3,9})${year}$`,
);

/** The way some programs write a missing date. */
export const isNoDate = (text: string): boolean => /^0+([-/.])0+\1?0*$/.test(text);

/** A day: `YYYY-MM-DD`, or as people write it, with or without a year. `today` determines the century of a two-digit year. */
export function checkDate(text: string, today: string): Checked {
  const spoiled = dateOfDayNumber(text);
  if (spoiled !== undefined) return { error: dayNumbered(spoiled) };
  const read = readDate(
    text.replace(/[T\s]+(?:0{1,2}:00(?::00(?:\.0+)?)?(?:\s*AM|Z)?|12:00(?::00)?\s*AM)$/i, ''),
    today,
  );
  if (!read) return { error: `must be a date such as 1980-05-31. ${asItIs}` };
  if (read.date === text || read.date === undefined) return { value: text };
  return converted(text, read.date, read.how);
}

interface Reading {
  /** In ISO 8601, or undefined if it has no year and is kept as written. */
  readonly date: string | undefined;
  readonly how: string;
}

const weekday = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,?\s+/;

/** The day that a text stands for, or undefined if it is not a day. */
export function readDate(text: string, today: string): Reading | undefined {
  const lower = text.trim().toLowerCase().replace(weekday, '');
  const numbers = yearLast.exec(lower)?.groups ?? withoutYear.exec(lower)?.groups;
  if (numbers) return numbered(numbers, today);
  const iso = yearFirst.exec(lower)?.groups;
  const named = monthNamed.exec(lower)?.groups ?? dayThenName.exec(lower)?.groups;
  const found = iso ?? named;
  if (!found) return undefined;
  const month = iso ? Number(iso.month) : monthNumbers.get((found.name ?? '').slice(0, 3));
  return existing({ ...fullYear(found.year, today), month: month ?? 0, day: Number(found.day) }, '');
}

const dayFirst = ', day first';

/** Of two numbers the first is the month, or with dots the day, unless only the other order is a date. */
function numbered({ first, second, gap, year }: Record<string, string | undefined>, today: string) {
  const monthFirst = { ...fullYear(year, today), month: Number(first), day: Number(second) };
  const dayThenMonth = { ...monthFirst, month: Number(second), day: Number(first) };
  const readings = [existing(monthFirst, ', month first'), existing(dayThenMonth, dayFirst)] as const;
  return gap === '.' ? (readings[1] ?? readings[0]) : (readings[0] ?? readings[1]);
}

/** How a date of numbers is read. Dots are another notation, with another order. */
export interface DateOrder {
  readonly first: 'day' | 'month';
  readonly isDotted: boolean;
  readonly date: string;
}

const numberedDate = /^(\d{1,2})([-/.])(\d{1,2})\2'?(?:\d{4}|\d{2})(?!\d)/;

/** The order of the date with which a text begins; undefined if it has no year, is no date, or is the same in both orders. */
export function dateOrderOf(text: string): DateOrder | undefined {
  const [date, first, gap, second] = numberedDate.exec(text.trim()) ?? [];
  // The century makes no difference.
  const read = date === undefined ? undefined : readDate(date, '2000-01-01');
  if (date === undefined || !read || Number(first) === Number(second)) return undefined;
  return { first: read.how === dayFirst ? 'day' : 'month', isDotted: gap === '.', date };
}

function existing({ year, month, day }: Parts, how: string): Reading | undefined {
  try {
    // A leap year, for a day without a year.
    const date = Temporal.PlainDate.from({ year: year ?? 2000, month, day }, { overflow: 'reject' });
    return { date: year === undefined ? undefined : date.toString(), how };
  } catch {
    return undefined; // The day does not exist.
  }
}

/** Two digits mean the latest such year that is not in the future. */
function fullYear(digits: string | undefined, today: string): { readonly year?: number } {
  if (digits === undefined) return {};
  if (digits.length === 4) return { year: Number(digits) };
  const now = Number(today.slice(0, 4));
  const inThisCentury = now - (now % 100) + Number(digits);
  return { year: inThisCentury > now ? inThisCentury - 100 : inThisCentury };
}
