import { instantOf, localIn } from '@crm/recurrence';

/** A message of one type to one contact that was missed, or that was moved because it was missed before. */
export interface Missed {
  readonly id: number;
  /** When it was to be sent before it was first moved. */
  readonly first_send_at: Temporal.Instant;
  readonly send_at: Temporal.Instant;
  /** The IANA name of the zone of its time of day. */
  readonly timezone: string;
  /** Whether it is too late to be sent at this hour. */
  readonly isLate: boolean;
}

type Move =
  | { readonly id: number; readonly send_at: Temporal.Instant }
  | { readonly id: number; readonly isGivenUp: true };

/** A message that is two weeks late is no longer worth sending. */
const maxDaysLate = 14;

/**
 * Moves missed messages to other days: each to the next day on which its time of day is still to come, in their original order,
 * and at most one per day. `lastDay` is the last day that already had one. A message that was moved before keeps its day unless
 * an earlier one needs it.
 */
export function catchUp(
  messages: readonly Missed[],
  lastDay: Temporal.PlainDate | undefined,
  now: Temporal.Instant,
): Move[] {
  const moves: Move[] = [];
  let last = lastDay;
  for (const message of messages.toSorted(inOriginalOrder)) {
    if (message.isLate && isTooOld(message, now)) {
      moves.push({ id: message.id, isGivenUp: true });
      continue;
    }
    const own = message.isLate ? nextDay(message, now) : dayOf(message.send_at, message.timezone);
    const day: Temporal.PlainDate =
      last && Temporal.PlainDate.compare(own, last) <= 0 ? last.add({ days: 1 }) : own;
    last = day;
    const send_at = atItsTime(message, day);
    if (!send_at.equals(message.send_at)) moves.push({ id: message.id, send_at });
  }
  return moves;
}

/** The local date in a zone at a moment. */
export const dayOf = (instant: Temporal.Instant, zone: string): Temporal.PlainDate =>
  localIn(instant, zone).toPlainDate();

/** The first day on which the time of day of a message is in the future. */
function nextDay(message: Missed, now: Temporal.Instant): Temporal.PlainDate {
  const today = dayOf(now, message.timezone);
  const isToCome = Temporal.Instant.compare(atItsTime(message, today), now) > 0;
  return isToCome ? today : today.add({ days: 1 });
}

/** The moment on a day at the local time at which the message was first to be sent. */
function atItsTime({ first_send_at, timezone }: Missed, day: Temporal.PlainDate): Temporal.Instant {
  return instantOf(day.toPlainDateTime(localIn(first_send_at, timezone).toPlainTime()), timezone);
}

const isTooOld = ({ first_send_at }: Missed, now: Temporal.Instant) =>
  Temporal.Instant.compare(first_send_at.add({ hours: 24 * maxDaysLate }), now) < 0;

const inOriginalOrder = (a: Missed, b: Missed) =>
  Temporal.Instant.compare(a.first_send_at, b.first_send_at) || a.id - b.id;
