/** The whole hours east of UTC in a time zone (IANA name) at a moment, rounded down: India's 5:30 becomes 5. */
export function timezoneOffset(timezone: string, at: Date): number {
  const { offsetNanoseconds } = at.toTemporalInstant().toZonedDateTimeISO(timezone);
  return Math.floor(offsetNanoseconds / 3_600_000_000_000);
}
