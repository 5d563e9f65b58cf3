import { instantOf, localIn, type Rule } from '../src/index.ts';
import { weekOf } from '../src/week-of-year.ts';

/** A series that both libraries computed. */
type Case = {
  readonly rule: Rule;
  readonly start: Temporal.PlainDateTime;
  readonly zone: string;
};

const isNumbered = ({ byDay }: Rule) => byDay.some(({ nth }) => nth !== null);
const isMixed = (rule: Rule) => isNumbered(rule) && rule.byDay.some(({ nth }) => nth === null);
const countsInYear = ({ frequency, byMonth }: Rule) => frequency === 'YEARLY' && byMonth.length === 0;

/** Every known difference from rrule-temporal 2.2.7, and why this package does not follow it. */
export const differences: readonly { reason: string; applies: (each: Case) => boolean }[] = [
  {
    reason: 'with BYYEARDAY the oracle ignores BYDAY, which limits it by RFC 5545',
    applies: ({ rule }) => rule.byYearDay.length > 0 && rule.byDay.length > 0,
  },
  {
    reason:
      'of BYWEEKNO, BYYEARDAY and BYMONTHDAY the oracle follows only one; here a day must match them all',
    applies: ({ rule }) =>
      [rule.byWeekNo, rule.byYearDay, rule.byMonthDay].filter((list) => list.length > 0).length > 1,
  },
  {
    reason: 'with a BYDAY numbered in the year the oracle ignores BYMONTHDAY, which limits it',
    applies: ({ rule }) => countsInYear(rule) && isNumbered(rule) && rule.byMonthDay.length > 0,
  },
  {
    reason: 'of BYDAY values with and without a number in the year the oracle ignores those without',
    applies: ({ rule }) => countsInYear(rule) && isMixed(rule),
  },
  {
    reason: 'with BYWEEKNO the oracle begins in the year of the start, here in the year of its week',
    applies: ({ rule, start }) =>
      rule.byWeekNo.length > 0 && weekOf(start.toPlainDate(), rule.weekStart).year !== start.year,
  },
  {
    reason: 'the oracle moves a start that the clocks skip, and with it the time of day of the whole series',
    applies: ({ start, zone }) => !localIn(instantOf(start, zone), zone).equals(start),
  },
];
