import { completeRule } from './complete-rule.ts';
import { daysOfYear } from './days-of-year.ts';
import type { Rule } from './rule.ts';
import { daysIntoWeek, weekOf } from './week-of-year.ts';

/**
 * The days of a series from its start to the end of a year, in order, before COUNT and UNTIL. As with 30 February,
 * BYSETPOS does not count a day that is not `possible`.
 */
export function* seriesDays(
  rule: Rule,
  start: Temporal.PlainDate,
  lastYear: number,
  possible: (day: Temporal.PlainDate) => boolean,
): Generator<Temporal.PlainDate> {
  const complete = completeRule(rule, start);
  const inStep = daysInStep(complete, start, lastYear).filter(({ day }) => possible(day));
  for (const { day } of complete.bySetPos.length > 0 ? atPositions(complete, inStep) : inStep) {
    if (day.year > lastYear) return;
    if (Temporal.PlainDate.compare(day, start) >= 0) yield day;
  }
}

type DayInPeriod = { readonly day: Temporal.PlainDate; readonly period: number };

/** The days of the periods that INTERVAL reaches from the one that contains the start. */
function* daysInStep(rule: Rule, start: Temporal.PlainDate, lastYear: number): Generator<DayInPeriod> {
  const first = periodOf(start, rule);
  // A week or week-year may begin in the year before the first and end in the year after the last, and BYSETPOS
  // counts from there.
  for (let year = start.year - 1; year <= lastYear + 1; year++) {
    for (const day of daysOfYear(rule, year)) {
      const period = periodOf(day, rule);
      if (period >= first && (period - first) % rule.interval === 0) yield { day, period };
    }
  }
}

/** The days that BYSETPOS picks from each period. */
function* atPositions({ bySetPos }: Rule, days: Iterable<DayInPeriod>): Generator<DayInPeriod> {
  let set: DayInPeriod[] = [];
  for (const each of days) {
    if (set[0] && set[0].period !== each.period) {
      yield* picked(set, bySetPos);
      set = [];
    }
    set.push(each);
  }
  yield* picked(set, bySetPos);
}

function picked<Item>(set: readonly Item[], positions: readonly number[]): Item[] {
  return set.filter((_, index) => positions.includes(index + 1) || positions.includes(index - set.length));
}

const epoch = new Temporal.PlainDate(1970, 1, 1);

/** The number of the day, week, month or year of a date, depending on the frequency of the rule. */
function periodOf(date: Temporal.PlainDate, rule: Rule): number {
  switch (rule.frequency) {
    // Its interval counts hours, so every day is reached.
    case 'HOURLY':
      return 0;
    case 'DAILY':
      return epoch.until(date).days;
    case 'WEEKLY':
      return Math.floor((epoch.until(date).days - daysIntoWeek(date, rule.weekStart)) / 7);
    case 'MONTHLY':
      return date.year * 12 + date.month;
    case 'YEARLY':
      return rule.byWeekNo.length > 0 ? weekOf(date, rule.weekStart).year : date.year;
  }
}
