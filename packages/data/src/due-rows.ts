/** Longer than any work waits until it is tried again. */
const longestWait = "interval '1 hour'";

/**
 * In SQL, what a select finds among rows whose next attempt is due, and then among those whose attempt is further away than
 * any can be: it was set while the clock of the database was ahead. Only for attempts, because what is due for the first time
 * may be due in a year. Two selects, so that both are ranges of an index.
 */
export const dueRows = (column: string, select: (isDue: string) => string): string =>
  [`${column} <= now()`, `${column} > now() + ${longestWait}`]
    // A union must not lock rows, but what it unites may.
    .map((isDue) => `select * from (${select(isDue)}) due`)
    .join(' union all ');
