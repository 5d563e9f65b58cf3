/**
 * The moment of a local time in a zone (IANA name), by RFC 5545, section 3.3.5: a time that a clock change skips is moved
 * forward, and a time that occurs twice is the earlier of the two. For single times; a series leaves skipped times out.
 */
export function instantOf(local: Temporal.PlainDateTime, zone: string): Temporal.Instant {
  return local.toZonedDateTime(zone, { disambiguation: 'compatible' }).toInstant();
}

/** The local time of a moment in a zone (IANA name). */
export function localIn(instant: Temporal.Instant, zone: string): Temporal.PlainDateTime {
  return instant.toZonedDateTimeISO(zone).toPlainDateTime();
}

export const dateOf = (instant: Temporal.Instant): Date => new Date(instant.epochMilliseconds);

export const isBefore = (a: Temporal.Instant, b: Temporal.Instant): boolean =>
  Temporal.Instant.compare(a, b) < 0;

/** The number of a day since 1970, computed with Date because Temporal takes several times as long. */
export function numberOfDay({ year, month, day }: Temporal.PlainDate): number {
  return Date.UTC(year, month - 1, day) / 86_400_000;
}

/**
 * Whether clocks in a zone may skip a time of a day. The days must be given in order. A series may ask about each day of 150
 * years, but the zone is queried only for its next change.
 */
export function clockChanges(zone: string): (day: Temporal.PlainDate) => boolean {
  const changeAfter = (day: Temporal.PlainDate) => {
    const change = day.toZonedDateTime(zone).getTimeZoneTransition('next');
    return change ? numberOfDay(change.toPlainDate()) : Infinity;
  };
  let next = -Infinity;
  return (day) => {
    const number = numberOfDay(day);
    if (number > next) next = changeAfter(day.subtract({ days: 1 }));
    // A change that skips a whole day ends on the day after it.
    return number >= next - 1;
  };
}

/** Whether a clock change in the zone skips the local time. */
export function isSkipped(local: Temporal.PlainDateTime, zone: string): boolean {
  return !local.toZonedDateTime(zone).toPlainDateTime().equals(local);
}
