import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { protectCell, unprotectCell } from './cells.ts';
import { type CsvRow, csvRows } from './csv-rows.ts';
import { csvText } from './write-csv.ts';

const folder = mkdtempSync(join(tmpdir(), 'crm-cells-'));
afterAll(() => rmSync(folder, { recursive: true }));

const path = join(folder, 'cells.csv');

async function readBack(text: string, delimiter = ','): Promise<CsvRow[]> {
  writeFileSync(path, text);
  return Array.fromAsync(csvRows({ chunks: createReadStream(path), delimiter }));
}

/** Texts close to formulas, quotes and line endings. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }).filter((value) => !value.includes('\0') && value.isWellFormed()),
  fc.string({
    unit: fc.constantFrom("'", '"', '=', '+', '-', '@', '\t', '\r', '\n', ',', ';', ' ', '\ufeff', 'a'),
  }),
);

describe('a cell', () => {
  it.each(['=1+1', '+1 604 555 4572', '-1', '@SUM(A1)', '\tx', '\rx', ' x', 'x '])(
    '%j is protected',
    (formula) => {
      expect(protectCell(formula)).toBe(`'${formula}`);
    },
  );

  it.each([
    ["Lee;=cmd|' /C calc'!A0;x", "'Lee;'=cmd|' /C calc'!A0;x"],
    ['Lee\t+1', "'Lee\t'+1"],
    ['a; -1; @x', "'a; '-1; '@x"],
    ['a;"=1"', '\'a;"\'=1"'],
    ["Lee\n=cmd|' /C calc'!A0", "'Lee\n'=cmd|' /C calc'!A0"],
    ['a\r\n -1\r+1', "'a\r\n '-1\r'+1"],
    ["'a;'=1", "''a;''=1"],
  ])(
    '%j is protected at its start and where a spreadsheet with other separators splits it',
    (inside, cell) => {
      expect([protectCell(inside), unprotectCell(cell)]).toEqual([cell, inside]);
    },
  );

  it.each(["O'Brien", "'tis", '1+1', 'a=b', 'a;b', 'a - b', ''])('%j stays as it is', (ordinary) => {
    expect(protectCell(ordinary)).toBe(ordinary);
    expect(unprotectCell(ordinary)).toBe(ordinary);
  });

  it('never starts like a formula, nor does a part of it, and reading restores it', () => {
    fc.assert(
      fc.property(text, (value) => {
        for (const cell of protectCell(value).split(/[;\t\r\n]/)) expect(cell).not.toMatch(/^[=+\-@]/);
        expect(protectCell(value)).not.toMatch(/^[\t\r]/);
        expect(unprotectCell(protectCell(value))).toBe(value);
      }),
      { numRuns: 1_000 },
    );
  });

  it('is unchanged after a round trip through a file', async () => {
    const rows = fc.array(fc.tuple(text, text, fc.constant('end')), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(rows, async (written) => {
        const read = await readBack(csvText(written.map((row) => row.map(protectCell))));
        expect(read.map(({ cells }) => cells.map(unprotectCell))).toEqual(written);
      }),
      { numRuns: 300 },
    );
  });
});
