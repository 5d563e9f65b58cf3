import { describe, expect, it } from 'vitest';
import { printable, printableJson, tableOf } from './printable.ts';

const hostile = 'a\u001b[31mb\r\nc\u0007\u009b\u202ed';

describe('printed text', () => {
  it('is safe for a terminal', () => {
    expect(printable(hostile)).toBe('a\\u001b[31mb\\u000d\\u000ac\\u0007\\u009b\\u202ed');
  });

  it('keeps its value as JSON', () => {
    const json = printableJson({ name: hostile, emoji: '👩‍🌾' });
    expect(json).toMatch(/^[^\p{Cc}\u202e]*$/u);
    expect(JSON.parse(json)).toEqual({ name: hostile, emoji: '👩‍🌾' });
  });

  it('cuts the widest columns of a table to fit a terminal, and only there', () => {
    const long = 'a rather long description of what it is for';
    const rows = [[1, 'Ada', long]];
    const table = tableOf(['id', 'name', 'description'], rows, 30);
    expect(Math.max(...table.split('\n').map((line) => line.length))).toBe(30);
    expect(table).toContain('…');
    expect(tableOf(['id', 'name', 'description'], rows, undefined)).toContain(long);
  });

  it('aligns the columns of a table', () => {
    expect(
      tableOf(
        ['Id', 'Name'],
        [
          [1, 'Ann'],
          [22, null],
        ],
      ),
    ).toBe('Id  Name\n1   Ann\n22');
  });
});
