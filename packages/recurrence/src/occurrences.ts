import type { Rule } from './rule.ts';
import { type Occurrence, series } from './series.ts';
import { localIn } from './wall-clock.ts';

/** The moments from `from` on and before `until`, of which at most `limit` are wanted. */
export type Window = {
  readonly from?: Temporal.Instant;
  readonly until?: Temporal.Instant;
  readonly limit: number;
};

/**
 * The occurrences in a window, in order. `start` is a wall clock in `zone` (IANA name); it is an occurrence only if
 * it matches the rule. Throws RangeError for an unknown zone.
 */
export function occurrences(
  rule: Rule,
  start: Temporal.PlainDateTime,
  zone: string,
  { from, until, limit }: Window,
): Occurrence[] {
  const found: Occurrence[] = [];
  const lastYear = until && localIn(until, zone).year;
  for (const occurrence of series(rule, start, zone, lastYear)) {
    if (found.length >= limit) break;
    if (until && Temporal.Instant.compare(occurrence.instant, until) >= 0) break;
    if (!from || Temporal.Instant.compare(occurrence.instant, from) >= 0) found.push(occurrence);
  }
  return found;
}
