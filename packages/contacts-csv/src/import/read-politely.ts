import { setImmediate } from 'node:timers/promises';

/** How long rows are read before other work in this process gets a turn. */
const readAtOnceMs = 4;

/** Reads rows one after the other, and yields to other work in between. */
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
