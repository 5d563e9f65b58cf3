import { instantOf, localIn } from '@crm/recurrence';

/** A message of one type to one contact that was missed, or has another day because it was missed before. */
export interface Missed {
  readonly id: number;
  /** When it was meant to be sent before it was ever moved. */
  readonly first_send_at: Temporal.Instant;
  readonly send_at: Temporal.Instant;
  /** IANA name; on the wall there its time of day was meant. */
  readonly timezone: string;
  /** So late that it is not sent at this hour any more. */
  readonly isLate: boolean;
}

export type Move =
  | { readonly id: number; readonly send_at: Temporal.Instant }
  | { readonly id: number; readonly isGivenUp: true };

/** Who was to hear of something a fortnight ago does not want to hear of it now. */
export const mostDaysLate = 14;

/**
 * Gives messages that were missed another day: each the next one on which it is not late at its time of day, in their
 * original order, and on no day more than one. `lastDay` had one that is not to be sent any more. What was moved before
 * keeps its day unless one that comes before it needs that.
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

/** The day that a wall in a zone shows at a moment. */
export const dayOf = (instant: Temporal.Instant, zone: string): Temporal.PlainDate =>
  localIn(instant, zone).toPlainDate();

/** The first day on which the time of day of a message is still to come. */
function nextDay(message: Missed, now: Temporal.Instant): Temporal.PlainDate {
  const today = dayOf(now, message.timezone);
  const isToCome = Temporal.Instant.compare(atItsTime(message, today), now) > 0;
  return isToCome ? today : today.add({ days: 1 });
}

/** A day at the time that the wall showed when the message was first meant to be sent. */
function atItsTime({ first_send_at, timezone }: Missed, day: Temporal.PlainDate): Temporal.Instant {
  return instantOf(day.toPlainDateTime(localIn(first_send_at, timezone).toPlainTime()), timezone);
}

const isTooOld = ({ first_send_at }: Missed, now: Temporal.Instant) =>
  Temporal.Instant.compare(first_send_at.add({ hours: 24 * mostDaysLate }), now) < 0;

const inOriginalOrder = (a: Missed, b: Missed) =>
  Temporal.Instant.compare(a.first_send_at, b.first_send_at) || a.id - b.id;
