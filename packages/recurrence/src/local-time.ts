/**
 * The moment a clock on the wall shows `local` in a zone (IANA name), as RFC 5545, section 3.3.5, reads it: a time
 * that a change of clocks skips is moved forward by it, one that comes twice is the earlier. For one-off times;
 * a series leaves skipped times out.
 */
export function instantOf(local: Temporal.PlainDateTime, zone: string): Temporal.Instant {
  return local.toZonedDateTime(zone, { disambiguation: 'compatible' }).toInstant();
}

/** What a clock on the wall shows in a zone (IANA name). */
export function localIn(instant: Temporal.Instant, zone: string): Temporal.PlainDateTime {
  return instant.toZonedDateTimeISO(zone).toPlainDateTime();
}

/** Whether no clock in the zone ever shows `local`, because a change of clocks leaves it out. */
export function isSkipped(local: Temporal.PlainDateTime, zone: string): boolean {
  return !local.toZonedDateTime(zone).toPlainDateTime().equals(local);
}
