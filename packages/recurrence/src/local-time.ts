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

/** Whether a clock change in the zone skips the local time. */
export function isSkipped(local: Temporal.PlainDateTime, zone: string): boolean {
  return !local.toZonedDateTime(zone).toPlainDateTime().equals(local);
}
