import rrule from 'rrule';
import { type Rule, weekdays } from './rule.ts';
import { weekOf } from './week-of-year.ts';

const { RRule, Weekday } = rrule;

// Beyond the year 9999, where the library stops: it reads one year and returns, however long it would otherwise search for the
// next match.
const intervalBeyondTheEnd = 1_000_000;

/** The days of a calendar year that match all BY parts of the rule except BYSETPOS, in order, before INTERVAL. */
export function daysOfYear(rule: Rule, year: number): Temporal.PlainDate[] {
  const days = new RRule(
    {
      freq: RRule.YEARLY,
      interval: intervalBeyondTheEnd,
      // In UTC, so that the library uses no time zone.
      dtstart: new Date(Temporal.PlainDate.from({ year, month: 1, day: 1 }).toString()),
      bymonth: monthsOf(rule),
      bymonthday: [...rule.byMonthDay],
      byyearday: [...rule.byYearDay],
      byweekday: weekdaysOf(rule),
      byhour: 0,
      byminute: 0,
      bysecond: 0,
    },
    true,
  ).all();
  const dates = days.map(
    (day) => new Temporal.PlainDate(day.getUTCFullYear(), day.getUTCMonth() + 1, day.getUTCDate()),
  );
  return rule.byWeekNo.length > 0 ? dates.filter((date) => isInWeeks(date, rule)) : dates;
}

// Not left to the library, which assigns the first days of some years to the wrong week.
function isInWeeks(date: Temporal.PlainDate, rule: Rule): boolean {
  const { number, fromEnd } = weekOf(date, rule.weekStart);
  return rule.byWeekNo.includes(number) || rule.byWeekNo.includes(fromEnd);
}

/** With months, the numbers of BYDAY count within a month. */
function monthsOf({ byMonth, frequency }: Rule): number[] {
  if (byMonth.length > 0 || frequency !== 'MONTHLY') return [...byMonth];
  return Array.from({ length: 12 }, (_, index) => index + 1);
}

function weekdaysOf(rule: Rule) {
  const named = rule.byDay.length > 0 ? rule.byDay : weekdays.map((weekday) => ({ nth: null, weekday }));
  const isMixed = named.some(({ nth }) => nth !== null);
  return named.flatMap(({ nth, weekday }) => {
    const day = weekdays.indexOf(weekday);
    if (nth !== null) return [new Weekday(day, nth)];
    // For "every Monday or the first Tuesday", the library would return only days that are both.
    return isMixed ? everyNumber.map((number) => new Weekday(day, number)) : [new Weekday(day)];
  });
}

const everyNumber = Array.from({ length: 53 }, (_, index) => index + 1);
