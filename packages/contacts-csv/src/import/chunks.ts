import { BrokenCsv, type CsvRow } from '../csv/csv-rows.ts';

/** The rows before a malformed one are a chunk too. */
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

/** The same values, of which the next one is made while one is consumed. A failure to make it is thrown in its turn. */
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
