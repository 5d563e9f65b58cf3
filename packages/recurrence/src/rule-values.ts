import { type RuleDay, type Weekday, weekdays } from './rule.ts';
import { RuleRefused } from './rule-refused.ts';

const maxListLength = 31;

export function oneOf<Word extends string>(key: string, words: readonly Word[], text: string): Word {
  const word = words.find((each) => each === text);
  if (!word) throw new RuleRefused(`${key} must be one of ${words.join(', ')}`);
  return word;
}

/** A whole number from 1 to `max`. */
export function numberUpTo(max: number, key: string, text: string): number {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : 0;
  if (value < 1 || value > max) throw new RuleRefused(`${key} must be a whole number from 1 to ${max}`);
  return value;
}

/** Whole numbers from 1 to `max`, in order. */
export function numbersUpTo(max: number, key: string, text = ''): number[] {
  return listOf(key, text, (item) => numberUpTo(max, key, item)).sort((a, b) => a - b);
}

/** Whole numbers from 1 to `max` or from -`max` to -1, in order. */
export function signedNumbersUpTo(max: number, key: string, text = ''): number[] {
  return listOf(key, text, (item) => signed(max, key, item)).sort((a, b) => a - b);
}

/** Weekdays with or without a number, in the order of the numbers and then of the week. */
export function daysOf(key: string, text = ''): RuleDay[] {
  const inOrder = (day: RuleDay) => (day.nth ?? 0) * weekdays.length + weekdays.indexOf(day.weekday);
  return listOf(key, text, (item) => {
    const weekday: Weekday = oneOf(key, weekdays, item.slice(-2));
    const nth = item.slice(0, -2);
    return { nth: nth ? signed(53, key, nth) : null, weekday };
  }).sort((a, b) => inOrder(a) - inOrder(b));
}

const untilForm = /^(?!0000)(\d{4})(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(T([01]\d|2[0-3])[0-5]\d[0-5]\dZ?)?$/;

/** A date, a local date-time or a date-time in UTC, as RFC 5545 writes them. */
export function untilOf(text: string): string {
  const [, year, month, day] = untilForm.exec(text)?.map(Number) ?? [];
  // Temporal changes 30 February to the last day of the month.
  if (!day || Temporal.PlainDate.from({ year, month, day }).day !== day) {
    throw new RuleRefused(
      'UNTIL must be a date or date-time such as 20270331, 20270331T090000 or 20270331T090000Z',
    );
  }
  return text;
}

function signed(max: number, key: string, text: string): number {
  const value = /^[+-]?\d{1,3}$/.test(text) ? Number(text) : 0;
  if (value === 0 || Math.abs(value) > max) {
    throw new RuleRefused(`${key} must be whole numbers from 1 to ${max} or from -${max} to -1`);
  }
  return value;
}

function listOf<Item>(key: string, text: string, read: (item: string) => Item): Item[] {
  if (!text) return [];
  const items = text.split(',');
  if (items.length > maxListLength) throw new RuleRefused(`${key} must list at most ${maxListLength} values`);
  const distinct = new Map(items.map((item) => read(item)).map((item) => [JSON.stringify(item), item]));
  return [...distinct.values()];
}
