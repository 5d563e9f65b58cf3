/** When a series starts: at a local time, or on a day, whose occurrences are days. No day has a time that clocks could skip. */
export type Start = Temporal.PlainDateTime | Temporal.PlainDate;

export const isDay = (start: Start): start is Temporal.PlainDate => start instanceof Temporal.PlainDate;

/** A start as a local time; a day starts at midnight. */
export const timeOfStart = (start: Start): Temporal.PlainDateTime =>
  isDay(start) ? start.toPlainDateTime() : start;
