import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { occurrences, type Rule, readRule } from '../src/index.ts';
import { daysIntoWeek, weekOf } from '../src/week-of-year.ts';
import { anyHourlyRule, anyRule, anyStart, anyZone } from './any-rule.ts';
import { watchLibrary } from './watch-library.ts';

const largest = 2_147_483_647;

afterEach(() => vi.restoreAllMocks());

describe('a large INTERVAL', () => {
  const start = Temporal.PlainDateTime.from('2027-03-01T09:00');

  it.each([
    [`FREQ=HOURLY;INTERVAL=${largest}`, 1, ['2027-03-01T09:00']],
    [`FREQ=DAILY;INTERVAL=${largest}`, 1, ['2027-03-01T09:00']],
    [`FREQ=WEEKLY;INTERVAL=${largest}`, 1, ['2027-03-01T09:00']],
    [`FREQ=MONTHLY;INTERVAL=${largest}`, 1, ['2027-03-01T09:00']],
    [`FREQ=YEARLY;INTERVAL=${largest}`, 1, ['2027-03-01T09:00']],
    ['FREQ=HOURLY;INTERVAL=1000000', 2, ['2027-03-01T09:00', '2141-03-30T01:00']],
    ['FREQ=DAILY;INTERVAL=50000', 2, ['2027-03-01T09:00', '2164-01-22T09:00']],
    // The week of the second time ends in the next year.
    ['FREQ=WEEKLY;INTERVAL=5000', 3, ['2027-03-01T09:00', '2122-12-28T09:00']],
    ['FREQ=MONTHLY;INTERVAL=801', 3, ['2027-03-01T09:00', '2093-12-01T09:00', '2160-09-01T09:00']],
    ['FREQ=YEARLY;INTERVAL=70', 3, ['2027-03-01T09:00', '2097-03-01T09:00', '2167-03-01T09:00']],
    // The weeks of 2127 begin in 2126 and end in 2128.
    ['FREQ=YEARLY;INTERVAL=100;BYWEEKNO=1;BYDAY=MO;WKST=SU', 5, ['2126-12-30T09:00']],
    // These are whole weeks, and the start is a Monday.
    ['FREQ=DAILY;INTERVAL=49000;BYDAY=TU', 2, []],
  ])('is skipped over: %s reads %i of 153 years', (text, years, times) => {
    const { rule, refusal } = readRule(text);
    if (!rule) throw new Error(refusal);
    const work = watchLibrary();
    const found = occurrences(rule, start, 'America/New_York', { limit: 1000 });
    expect(found.map(({ local }) => local.toString({ smallestUnit: 'minute' }))).toEqual(times);
    expect(work.calls).toBe(years);
  });
});

/** How many hours, days, weeks, months or years, depending on the rule, begin between two times. */
function periodsBetween(rule: Rule, from: Temporal.PlainDateTime, to: Temporal.PlainDateTime): number {
  const [first, last] = [from.toPlainDate(), to.toPlainDate()];
  const weekOn = (date: Temporal.PlainDate) => date.subtract({ days: daysIntoWeek(date, rule.weekStart) });
  const yearOn = (date: Temporal.PlainDate) =>
    rule.byWeekNo.length > 0 ? weekOf(date, rule.weekStart).year : date.year;
  switch (rule.frequency) {
    case 'HOURLY':
      return from.until(to, { largestUnit: 'hours' }).hours;
    case 'DAILY':
      return first.until(last).days;
    case 'WEEKLY':
      return weekOn(first).until(weekOn(last)).days / 7;
    case 'MONTHLY':
      return first.with({ day: 1 }).until(last.with({ day: 1 }), { largestUnit: 'months' }).months;
    case 'YEARLY':
      return yearOn(last) - yearOn(first);
  }
}

type Case = [rule: Rule, start: Temporal.PlainDateTime, zone: string, years: number];

/** The times of a rule that INTERVAL reaches, selected from those with INTERVAL=1. */
function walked([rule, start, zone, years]: Case): string[] {
  const everyPeriod = { ...rule, interval: 1, count: null };
  const until = start.add({ years }).toZonedDateTime(zone).toInstant();
  return occurrences(everyPeriod, start, zone, { until, limit: Infinity })
    .filter(({ local }) => periodsBetween(rule, start, local) % rule.interval === 0)
    .slice(0, rule.count ?? Infinity)
    .map(({ local }) => local.toString());
}

function jumped([rule, start, zone, years]: Case): string[] {
  const until = start.add({ years }).toZonedDateTime(zone).toInstant();
  return occurrences(rule, start, zone, { until, limit: Infinity }).map(({ local }) => local.toString());
}

const anyInterval = fc.oneof(
  fc.integer({ min: 1, max: 60 }),
  fc.integer({ min: 1, max: 3_000 }),
  fc.integer({ min: 1, max: 100_000 }),
  fc.integer({ min: 1, max: largest }),
);

describe('skipping over the periods between', () => {
  it.each([
    ['hourly', anyHourlyRule, 2, 60],
    ['other', anyRule, 20, 300],
  ])('finds the same as reading all of them, with any %s rule', (_, rules, maxYears, numRuns) => {
    let repeated = 0;
    fc.assert(
      fc.property(
        rules,
        anyInterval,
        anyStart,
        anyZone,
        fc.integer({ min: 1, max: maxYears }),
        ({ rule }, interval, start, zone, years) => {
          const each: Case = [{ ...rule, interval }, start, zone, years];
          const expected = walked(each);
          if (expected.length > 1) repeated += 1;
          expect(jumped(each)).toEqual(expected);
        },
      ),
      { numRuns: numRuns * Number(process.env.TEST_SCALE ?? 1) },
    );
    expect(repeated).toBeGreaterThan(numRuns / 10);
  });
});
