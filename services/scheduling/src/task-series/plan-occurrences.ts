import { instantOf, isBefore, type Occurrence, series, timeOfStart } from '@crm/recurrence';
import type { Recurrence } from './recurrence.ts';

/** How far ahead of now, or of a start in the future, occurrences are created. */
const horizon = Temporal.Duration.from({ hours: 730 * 24 });

/** How many occurrences of a series may be open. */
export const maxOpen = 500;

/** The first moment for which no occurrence is created yet. */
export function horizonOf({ start, zone }: Recurrence, now: Temporal.Instant): Temporal.Instant {
  const startsAt = instantOf(timeOfStart(start), zone);
  return (isBefore(now, startsAt) ? startsAt : now).add(horizon);
}

/** When to create more: when the next one is within the horizon, or a day later while too many are open; null for never. */
export function extendAt(
  next: Occurrence | undefined,
  end: Temporal.Instant,
  now: Temporal.Instant,
): Temporal.Instant | null {
  if (!next) return null;
  return isBefore(next.instant, end) ? now.add({ hours: 24 }) : next.instant.subtract(horizon);
}

export interface OccurrencePlan {
  readonly added: readonly Occurrence[];
  /** The number of the first occurrence that is still to be created. */
  readonly nextIndex: number;
  readonly extendAt: Temporal.Instant | null;
}

/**
 * Plans which occurrences of a series to create, from the number `first` on, when `open` others are open. The first occurrence of
 * a series is always created, however far ahead; without one, the rule never occurs.
 */
export function planOccurrences(
  recurrence: Recurrence,
  first: number,
  open: number,
  now: Temporal.Instant,
): OccurrencePlan {
  const end = horizonOf(recurrence, now);
  const room = Math.max(0, maxOpen - open);
  const added: Occurrence[] = [];
  const addedTo = (next?: Occurrence): OccurrencePlan => ({
    added,
    nextIndex: first + added.length,
    extendAt: extendAt(next, end, now),
  });
  for (const each of series(recurrence.rule, recurrence.start, recurrence.zone).drop(first)) {
    const isInView = each.index === 0 || isBefore(each.instant, end);
    if (!isInView || added.length === room) return addedTo(each);
    added.push(each);
  }
  return addedTo();
}
