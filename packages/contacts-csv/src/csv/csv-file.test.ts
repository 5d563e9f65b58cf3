import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { delimiterOf, inspectCsv } from './csv-file.ts';
import { csvLimits, csvRows } from './csv-rows.ts';

const folder = mkdtempSync(join(tmpdir(), 'crm-csv-'));
afterAll(() => rmSync(folder, { recursive: true }));

const path = join(folder, 'people.csv');

async function read(content: string | Buffer) {
  writeFileSync(path, content);
  const rows: [number, ...string[]][] = [];
  try {
    for await (const { line, cells } of csvRows({
      ...(await inspectCsv(path)),
      chunks: createReadStream(path),
    }))
      rows.push([line, ...cells]);
  } catch (error) {
    return { rows, error };
  }
  return { rows };
}

describe('a CSV file', () => {
  it.each([
    ['with LF', 'a,b\n1,2\n3,4\n'],
    ['with CRLF', 'a,b\r\n1,2\r\n3,4\r\n'],
    ['with CR', 'a,b\r1,2\r3,4'],
    ['with mixed line endings', 'a,b\r1,2\n3,4\r\n'],
    ['without a final line ending', 'a,b\n1,2\n3,4'],
    ['with a byte order mark', '\ufeffa,b\n1,2\n3,4\n'],
    ['with semicolons', 'a;b\n1;2\n3;4\n'],
    ['with tabs', 'a\tb\n1\t2\n3\t4\n'],
    ['with quotes and spaces', '"a" , "b"\n1, "2"\n 3 ,4\n'],
  ])('%s is read', async (_, content) => {
    expect(await read(content)).toEqual({
      rows: [
        [1, 'a', 'b'],
        [2, '1', '2'],
        [3, '3', '4'],
      ],
    });
  });

  it('counts lines as an editor does, including empty ones and those inside cells', async () => {
    const content = 'a,b\r\n"x\r\ny",2\r\n\r\n  \r\n,\r\n3,"é\n\n"\r\n4,5';
    expect((await read(content)).rows).toEqual([
      [1, 'a', 'b'],
      [2, 'x\r\ny', '2'],
      [7, '3', 'é\n\n'],
      [10, '4', '5'],
    ]);
  });

  it('has all its rows, wherever chunks end', async () => {
    const rows = Array.from({ length: 20_000 }, (_, index) => [index + 2, `Zoë ${index}`, 'x'] as const);
    const content = `a,b\r\n${rows.map((row) => `"${row[1]}",x\r\n`).join('')}`;
    expect((await read(content)).rows.slice(1)).toEqual(rows);
  });

  it.each([1, 2, 3, 5, 1_000])(
    'has texts that are written as formulas, so that a spreadsheet keeps their zeros (%i bytes at once)',
    async (size) => {
      const content = `a,b\r\n="02134", ="5035" \r\n"x,=""y""\n=""z""",a=b\n=1,=""\n="1,2",="3""4"\nb=,=`;
      const chunks = content.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
      const bytes = async function* () {
        for (const chunk of chunks) yield Buffer.from(chunk);
      };
      const rows = await Array.fromAsync(csvRows({ chunks: bytes(), delimiter: ',' }));
      expect(rows.map(({ line, cells, end }) => [line, content.slice(0, end).at(-1), ...cells])).toEqual([
        [1, '\n', 'a', 'b'],
        [2, '\n', '02134', '5035'],
        [3, '\n', 'x,="y"\n="z"', 'a=b'],
        [5, '\n', '=1', ''],
        [6, '\n', '1,2', '3"4'],
        [7, '=', 'b=', '='],
      ]);
    },
  );

  it.each([
    ['a quote inside a cell', '1,2\n3,x"y\n5,6\n', 'in the middle'],
    ['text after a quote', '1,2\n"3"x,4\n5,6\n', 'followed by more text'],
    ['a quote that is never closed', '1,2\n3,"4\n5,6\n', 'never closed'],
    ['a quote bomb', `1,2\n3,"${'x,\n'.repeat(4_000_000)}`, 'the row is too long'],
  ])('with %s yields the rows before it and reports the line', async (_, content, reason) => {
    expect(await read(`a,b\n${content}`)).toMatchObject({
      rows: [
        [1, 'a', 'b'],
        [2, '1', '2'],
      ],
      error: { name: 'BrokenCsv', line: 3, message: expect.stringContaining(reason) },
    });
  });

  it.each([
    ['UTF-16', Buffer.from('\ufeffa,b\n1,2\n', 'utf16le'), 'is UTF-16'],
    ['UTF-16 without a byte order mark', Buffer.from('a,b\n1,2\n', 'utf16le'), 'contains NUL bytes'],
    ['big-endian UTF-16', Buffer.from('\ufeffa,b\n1,2\n', 'utf16le').swap16(), 'is UTF-16'],
    ['a NUL', 'a,b\n1,\0\n', 'contains NUL bytes'],
    ['Latin-1', Buffer.from('a,b\nZoë,2\n', 'latin1'), 'is not UTF-8'],
    ['half a character at its end', Buffer.from('a,b\nZoë').subarray(0, -1), 'is not UTF-8'],
  ])('in %s is refused completely', async (_, content, message) => {
    expect(await read(content)).toMatchObject({
      rows: [],
      error: { name: 'ContactsCsvError', reason: 'WrongEncoding', message: expect.stringContaining(message) },
    });
  });

  it('with a million columns is read only up to its header, which exceeds the limit', async () => {
    const { rows } = await read(`${'a,'.repeat(1_000_000)}\n`);
    expect(rows[0]?.length).toBeGreaterThan(csvLimits.columns);
  });
});

describe('the delimiter', () => {
  it.each([
    ['a,b', ','],
    ['a;b,c;d', ';'],
    ['a\tb', '\t'],
    ['"a;b;c;d",e,f', ','],
    ['"a\nb;c";d', ';'],
    ['alone', ','],
    ['', ','],
    ['a,b\nc;d;e;f', ','],
  ])('of %j is %j', (text, delimiter) => {
    expect(delimiterOf(text)).toBe(delimiter);
  });
});
