import { instantOf, type Occurrence, occurrences } from '@crm/recurrence';
import type { Recurrence } from './recurrence.ts';

/** How far ahead of now, or of a start in the future, occurrences are there. */
const horizon = Temporal.Duration.from({ hours: 730 * 24 });

/** Of one series, how many occurrences may wait to be done. */
export const mostOpen = 500;

/** The first moment of which no occurrence is made yet. */
export function horizonOf({ start, zone }: Recurrence, now: Temporal.Instant): Temporal.Instant {
  const startsAt = instantOf(start, zone);
  return (isBefore(now, startsAt) ? startsAt : now).add(horizon);
}

/** When to make more: as the next one comes into view, or, while too many are open, a day later; null for never. */
export function extendAt(
  next: Occurrence | undefined,
  end: Temporal.Instant,
  now: Temporal.Instant,
): Temporal.Instant | null {
  if (!next) return null;
  return isBefore(next.instant, end) ? now.add({ hours: 24 }) : next.instant.subtract(horizon);
}

export const isBefore = (a: Temporal.Instant, b: Temporal.Instant): boolean =>
  Temporal.Instant.compare(a, b) < 0;

export interface Making {
  readonly made: readonly Occurrence[];
  /** The number of the first occurrence that is still to be made. */
  readonly nextIndex: number;
  readonly extendAt: Temporal.Instant | null;
}

/**
 * The occurrences to be made of a series, the first of them by its number, beside `open` ones that are open. The first
 * of all is always made, however far ahead; none at all says that the rule is never reached.
 */
export function makeOccurrences(
  recurrence: Recurrence,
  first: number,
  open: number,
  now: Temporal.Instant,
): Making {
  const end = horizonOf(recurrence, now);
  const room = Math.max(0, mostOpen - open);
  const window = { limit: first + room + 1 };
  const candidates = occurrences(recurrence.rule, recurrence.start, recurrence.zone, window).slice(first);
  const inView = candidates.filter(({ instant }, place) => isBefore(instant, end) || first + place === 0);
  const made = inView.slice(0, room);
  const next = candidates[made.length];
  return { made, nextIndex: first + made.length, extendAt: extendAt(next, end, now) };
}
