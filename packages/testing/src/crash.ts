/**
 * Ends the work of a process at this point, as a crash does. The error has the code of an exception raised in PostgreSQL, after
 * which nothing is retried, just as a crashed process retries nothing.
 */
export function crash(): never {
  throw Object.assign(new Error('crash'), { code: 'P0001' });
}
