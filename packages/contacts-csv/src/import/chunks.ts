import { BrokenCsv, type CsvRow } from '../csv/csv-rows.ts';

/** The rows before a malformed one form a chunk too. */
export async function* chunksOf(
  rows: AsyncIterable<CsvRow> | Iterable<CsvRow>,
  size: number,
): AsyncGenerator<readonly CsvRow[]> {
  let chunk: CsvRow[] = [];
  let broken: BrokenCsv | undefined;
  try {
    for await (const row of rows) {
      chunk.push(row);
      if (chunk.length < size) continue;
      yield chunk;
      chunk = [];
    }
  } catch (error) {
    if (!(error instanceof BrokenCsv)) throw error;
    broken = error;
  }
  if (chunk.length > 0) yield chunk;
  if (broken) throw broken;
}

/** The same values, with the next one prepared while one is consumed. A failure to prepare it is thrown in order. */
export async function* ahead<Value>(values: AsyncGenerator<Value>): AsyncGenerator<Value> {
  const make = () => {
    const coming = values.next();
    coming.catch(() => undefined);
    return coming;
  };
  try {
    for (let coming = make(); ; ) {
      const { done, value } = await coming;
      if (done) return;
      coming = make();
      yield value;
    }
  } finally {
    await values.return(undefined);
  }
}
