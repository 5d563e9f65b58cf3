/** Formats an ISO 8601 instant in a reader's time zone. */
export const showMoment = (moment: string, timeZone: string): string =>
  new Date(moment).toLocaleString('en-US', { timeZone, dateStyle: 'long', timeStyle: 'short' });
