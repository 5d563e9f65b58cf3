const instantForm = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}([.,]\d{1,9})?)?(Z|z|[+ -]\d{2}(:?\d{2})?)?)?$/;

/**
 * The instant of an ISO 8601 text, as ISO text in UTC with milliseconds, or undefined for any other text.
 * A date alone means midnight UTC; a time without a zone is UTC.
 */
export function readInstant(value: string): string | undefined {
  const form = instantForm.exec(value);
  if (!form) return undefined;
  // An unescaped plus in a query or a form has become a space.
  const iso = value.replace(/^(.{10}) /, '$1T').replace(' ', '+');
  try {
    const instant = form[4]
      ? Temporal.Instant.from(iso)
      : Temporal.PlainDateTime.from(iso).toZonedDateTime('UTC').toInstant();
    const text = instant.toString({ fractionalSecondDigits: 3 });
    // Beyond these years ISO 8601 and PostgreSQL format an instant differently.
    return /^(?!0000)\d{4}-/.test(text) ? text : undefined;
  } catch {
    return undefined; // Well-formed, but not a date, such as 30 February.
  }
}

/**
 * The instant or local time of an ISO 8601 text, in whole seconds: as ISO text in UTC if it has a zone, otherwise without one;
 * undefined for any other text. A date alone means midnight.
 */
export function readLocalTime(value: string): string | undefined {
  const hasZone = instantForm.exec(value)?.[4] !== undefined;
  const instant = readInstant(value);
  if (instant === undefined || !isInRange(instant)) return undefined;
  const seconds = instant.slice(0, 19);
  return hasZone ? `${seconds}Z` : seconds;
}

/** Whether the year has four digits in every zone, because a local time is converted to an instant and back. */
const isInRange = (instant: string): boolean => instant > '0001-01-03' && instant < '9999-12-30';
