import { describe, expect, it } from 'vitest';
import { BrokenCsv, type CsvRow } from '../csv/csv-rows.ts';
import { ahead, chunksOf } from './chunks.ts';

/** Rows of a file, optionally malformed after them. */
async function* rowsOf(count: number, isBroken = false): AsyncGenerator<CsvRow> {
  for (let line = 1; line <= count; line++) yield { line, cells: [], end: line, endLine: line };
  if (isBroken) throw new BrokenCsv(count + 1, 'a quote is opened and never closed');
}

describe('chunks of rows', () => {
  it('have all rows before a malformed one, and then throw', async () => {
    const lengths: number[] = [];
    const reading = (async () => {
      for await (const chunk of ahead(chunksOf(rowsOf(600, true), 250))) lengths.push(chunk.length);
    })();
    await expect(reading).rejects.toThrow(BrokenCsv);
    expect(lengths).toEqual([250, 250, 100]);
    expect(await Array.fromAsync(chunksOf(rowsOf(0), 250))).toEqual([]);
  });

  it('are read one chunk ahead while the previous one is written', async () => {
    let read = 0;
    async function* counted() {
      for await (const row of rowsOf(1_000)) {
        read = row.line;
        yield row;
      }
    }
    const written: number[] = [];
    for await (const chunk of ahead(chunksOf(counted(), 250))) {
      const last = chunk.at(-1)?.line ?? 0;
      await expect.poll(() => read).toBe(Math.min(last + 250, 1_000));
      written.push(last);
    }
    expect(written).toEqual([250, 500, 750, 1_000]);
  });

  it('are not read any further when writing fails', async () => {
    let isClosed = false;
    async function* watched() {
      try {
        yield* rowsOf(1_000);
      } finally {
        isClosed = true;
      }
    }
    const writing = (async () => {
      for await (const _ of ahead(chunksOf(watched(), 250))) throw new Error('It cannot be written.');
    })();
    await expect(writing).rejects.toThrow('It cannot be written.');
    expect(isClosed).toBe(true);
  });
});
