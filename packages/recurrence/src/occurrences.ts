import { isBefore, localIn } from './local-time.ts';
import type { Rule } from './rule.ts';
import { type Occurrence, series } from './series.ts';
import type { Start } from './start.ts';

/** The first moment inside, the first moment after it, and the maximum number of occurrences. */
export type Window = {
  readonly from?: Temporal.Instant;
  readonly until?: Temporal.Instant;
  readonly limit: number;
};

/**
 * The occurrences in a window, in order. `start` is a local time in `zone` (IANA name), or a day; it is an occurrence only
 * if it matches the rule. Throws RangeError for an unknown zone.
 */
export function occurrences(
  rule: Rule,
  start: Start,
  zone: string,
  { from, until, limit }: Window,
): Occurrence[] {
  const found: Occurrence[] = [];
  const lastYear = until && localIn(until, zone).year;
  const sinceFrom = series(rule, start, zone, lastYear).filter(
    ({ instant }) => !from || !isBefore(instant, from),
  );
  for (const occurrence of sinceFrom.take(limit)) {
    if (until && !isBefore(occurrence.instant, until)) break;
    found.push(occurrence);
  }
  return found;
}
