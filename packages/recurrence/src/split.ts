import { instantOf } from './local-time.ts';
import type { Rule } from './rule.ts';
import { series } from './series.ts';
import type { Start } from './start.ts';
import { isPast, untilText } from './until.ts';

/**
 * The rule that ends with the last occurrence before `local`; unchanged if it ends before that anyway. Its UNTIL is a local time,
 * which stays correct when a zone changes its rules. If `local` is the first occurrence, no occurrence remains.
 */
export function endBefore(rule: Rule, start: Start, zone: string, local: Temporal.PlainDateTime): Rule {
  if (!remainder(rule, start, zone, local)) return rule;
  return { ...rule, count: null, until: untilText(local.subtract({ seconds: 1 })) };
}

/**
 * The rule of the series that continues at the occurrence `local`, its new start; null if the series ends before that. COUNT is
 * reduced to what remains.
 */
export function remainder(
  rule: Rule,
  start: Start,
  zone: string,
  local: Temporal.PlainDateTime,
): Rule | null {
  if (isPast(rule, local, instantOf(local, zone))) return null;
  if (rule.count === null) return rule;
  const left = rule.count - occurrencesBefore(rule, start, zone, local);
  return left > 0 ? { ...rule, count: left } : null;
}

/** Where a series begins: its start, and the zone of its local times. */
type Beginning = { readonly start: Start; readonly zone: string };

/** Counting this many takes some hundredths of a second. */
const maxCounted = 10_000;

/** A series is not computed for much longer. Who writes such an UNTIL wants no end. */
const maxYears = 100;

/**
 * The rule of a series that is moved and keeps the number of its occurrences: COUNT replaces an UNTIL that would leave more or
 * fewer. An UNTIL after more than 10,000 occurrences or a hundred years is kept.
 */
export function movedRule(rule: Rule, from: Beginning, to: Beginning): Rule {
  if (rule.until === null || Number(rule.until.slice(0, 4)) > from.start.year + maxYears) return rule;
  const count = countOf(rule, from);
  return count > maxCounted || count === countOf(rule, to) ? rule : { ...rule, until: null, count };
}

function countOf(rule: Rule, { start, zone }: Beginning): number {
  return series(rule, start, zone)
    .take(maxCounted + 1)
    .reduce((number) => number + 1, 0);
}

function occurrencesBefore(rule: Rule, start: Start, zone: string, local: Temporal.PlainDateTime): number {
  return series(rule, start, zone, local.year)
    .filter((each) => Temporal.PlainDateTime.compare(each.local, local) < 0)
    .reduce((number) => number + 1, 0);
}
