/** Ends what a process was doing at this point, as a crash does. */
export function crash(): never {
  throw new Error('crash');
}
