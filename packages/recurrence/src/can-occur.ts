import { completeRule } from './complete-rule.ts';
import type { Rule } from './rule.ts';
import { seriesDays } from './series-days.ts';

// Starts on each weekday, whose day exists in every month.
const starts = Array.from({ length: 7 }, (_, index) => new Temporal.PlainDateTime(2000, 1, index + 1));
// Every combination of leap or common year and first weekday occurs within 28 years.
const lastYear = 2027;

/** Whether the rule occurs from any start at all, found by reading at most 210 years. */
export function canOccur(rule: Rule): boolean {
  // With INTERVAL=1, since every period can be reached from some start.
  const inEveryPeriod = { ...rule, interval: 1 };
  const distinctStarts = starts.filter(
    (start, index) => index === 0 || completeRule(rule, start.toPlainDate()) !== rule,
  );
  return distinctStarts.some((start) => !seriesDays(inEveryPeriod, start, lastYear, () => true).next().done);
}
