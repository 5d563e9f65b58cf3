/** PostgreSQL stores no text with a NUL, which the reason of a failure may quote from a message. */
export const storable = (text: string, maxLength: number): string =>
  text.slice(0, maxLength).replaceAll('\0', '\u2400');
