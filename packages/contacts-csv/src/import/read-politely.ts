import { setImmediate } from 'node:timers/promises';

/** For how long rows are read before others have their turn in this process. */
const readAtOnceMs = 4;

/** Reads rows one after the other, and lets others have their turn meanwhile. */
export async function readPolitely<Row, Read>(
  rows: readonly Row[],
  read: (row: Row) => Read,
): Promise<Read[]> {
  const all: Read[] = [];
  let began = performance.now();
  for (const row of rows) {
    if (performance.now() - began > readAtOnceMs) {
      await setImmediate();
      began = performance.now();
    }
    all.push(read(row));
  }
  return all;
}
