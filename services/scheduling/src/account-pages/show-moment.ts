/** A moment in ISO 8601 as a reader in a time zone writes it. */
export const showMoment = (moment: string, timeZone: string): string =>
  new Date(moment).toLocaleString('en-US', { timeZone, dateStyle: 'long', timeStyle: 'short' });
