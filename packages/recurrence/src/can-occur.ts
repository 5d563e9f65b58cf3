import { completeRule } from './complete-rule.ts';
import type { Rule } from './rule.ts';
import { seriesDays } from './series-days.ts';

// A day taken from the start is thereby each weekday once, and one that every month has.
const starts = Array.from({ length: 7 }, (_, index) => new Temporal.PlainDate(2000, 1, index + 1));
// Every leap year and common year, beginning on every weekday, follows within 28 years.
const lastYear = 2027;

/** Whether the rule has an occurrence from any start at all, found in at most 210 looks at one year. */
export function canOccur(rule: Rule): boolean {
  // With a fitting start, every period is one that INTERVAL reaches.
  const inEveryPeriod = { ...rule, interval: 1 };
  const mattering = starts.filter((start, index) => index === 0 || completeRule(rule, start) !== rule);
  return mattering.some((start) => !seriesDays(inEveryPeriod, start, lastYear, () => true).next().done);
}
