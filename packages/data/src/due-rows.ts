/** Longer than the delay before any retry. */
const longestWait = "interval '1 hour'";

/**
 * SQL for a select among rows whose next attempt is due, and then among those whose attempt is impossibly far in the future
 * because it was set while the clock of the database was ahead. Only for retries, because a first attempt may be due in a year.
 * Two selects, so that each is a range of an index.
 */
export const dueRows = (column: string, select: (isDue: string) => string): string =>
  [`${column} <= now()`, `${column} > now() + ${longestWait}`]
    // A union must not lock rows, but what it unites may.
    .map((isDue) => `select * from (${select(isDue)}) due`)
    .join(' union all ');
