import { completeRule } from './complete-rule.ts';
import { daysOfYear } from './days-of-year.ts';
import { numberOfDay } from './local-time.ts';
import type { Rule } from './rule.ts';
import { daysIntoWeek, weekOf } from './week-of-year.ts';

/**
 * The days of a series from its start to the end of a year, in order, before COUNT and UNTIL. BYSETPOS ignores days that are not
 * `possible`, just as it ignores 30 February.
 */
export function* seriesDays(
  rule: Rule,
  start: Temporal.PlainDateTime,
  lastYear: number,
  possible: (day: Temporal.PlainDate) => boolean,
): Generator<Temporal.PlainDate> {
  const startDay = start.toPlainDate();
  const complete = completeRule(rule, startDay);
  const inStep = daysInStep(complete, start, lastYear).filter(({ day }) => possible(day));
  for (const { day } of complete.bySetPos.length > 0 ? atPositions(complete, inStep) : inStep) {
    if (day.year > lastYear) return;
    if (Temporal.PlainDate.compare(day, startDay) >= 0) yield day;
  }
}

type DayInPeriod = { readonly day: Temporal.PlainDate; readonly period: number };

/** The days of the periods that INTERVAL reaches, starting with the period that contains the start. */
function* daysInStep(rule: Rule, start: Temporal.PlainDateTime, lastYear: number): Generator<DayInPeriod> {
  const first = periodOf(start.toPlainDate(), rule, start.hour);
  const isReached = (from: Temporal.PlainDate, to: Temporal.PlainDate) =>
    nextInStep(first, rule.interval, periodOf(from, rule, 0)) <= periodOf(to, rule, 23);
  // A week or week-year may begin in the year before the first and end in the year after the last, and BYSETPOS
  // counts from there.
  for (let year = start.year - 1; year <= lastYear + 1; year++) {
    // Reading the days of a year takes long, and a large INTERVAL reaches few years.
    if (!isReached(new Temporal.PlainDate(year, 1, 1), new Temporal.PlainDate(year, 12, 31))) continue;
    for (const day of daysOfYear(rule, year)) {
      if (isReached(day, day)) yield { day, period: periodOf(day, rule, 0) };
    }
  }
}

/** The days that BYSETPOS selects from each period. */
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

/** The first number of the sequence `first`, `first + interval` and so on that is at least `from`. */
export function nextInStep(first: number, interval: number, from: number): number {
  return first + Math.max(0, Math.ceil((from - first) / interval)) * interval;
}

/** The number of the hour, day, week, month or year of a time, depending on the frequency of the rule. */
function periodOf(date: Temporal.PlainDate, rule: Rule, hour: number): number {
  switch (rule.frequency) {
    case 'HOURLY':
      return numberOfDay(date) * 24 + hour;
    case 'DAILY':
      return numberOfDay(date);
    case 'WEEKLY':
      return Math.floor((numberOfDay(date) - daysIntoWeek(date, rule.weekStart)) / 7);
    case 'MONTHLY':
      return date.year * 12 + date.month;
    case 'YEARLY':
      return rule.byWeekNo.length > 0 ? weekOf(date, rule.weekStart).year : date.year;
  }
}
