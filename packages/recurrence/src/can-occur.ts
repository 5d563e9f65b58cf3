import { completeRule } from './complete-rule.ts';
import type { Rule } from './rule.ts';
import { seriesDays } from './series-days.ts';

// A day taken from these starts is each weekday once, and exists in every month.
const starts = Array.from({ length: 7 }, (_, index) => new Temporal.PlainDateTime(2000, 1, index + 1));
// Every leap year and common year, beginning on every weekday, follows within 28 years.
const lastYear = 2027;

/** Whether the rule has an occurrence from any start at all, found by reading at most 210 years. */
export function canOccur(rule: Rule): boolean {
  // For every period, there is a start from which INTERVAL reaches it.
  const inEveryPeriod = { ...rule, interval: 1 };
  const distinctStarts = starts.filter(
    (start, index) => index === 0 || completeRule(rule, start.toPlainDate()) !== rule,
  );
  return distinctStarts.some((start) => !seriesDays(inEveryPeriod, start, lastYear, () => true).next().done);
}
