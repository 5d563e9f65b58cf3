/**
 * Ends what a process was doing at this point, as a crash does. With the code of an exception that was raised in PostgreSQL,
 * after which nothing is tried again: nor does a process that has crashed.
 */
export function crash(): never {
  throw Object.assign(new Error('crash'), { code: 'P0001' });
}
