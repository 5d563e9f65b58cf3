import type { CsvRow, ImportRun } from '@crm/contacts-csv';
import { describe, expect, it } from 'vitest';
import type { Running } from './portion.queries.ts';
import { isAboutOthers } from './second-portion.ts';

type Read = ReturnType<ImportRun['read']>;

function portionOf(email: string, ...optOuts: readonly 'Email'[]) {
  const row: CsvRow = { line: 2, cells: [email], end: 0, endLine: 3 };
  const ready = { row, draft: { email }, optOuts } as Partial<Read> as Read;
  return {
    rows: [row],
    reads: new Map([[row, ready]]),
    next: { offset: 0, line: 3 },
    isLast: false,
    broken: null,
  };
}

const order = (duplicates: Running['duplicates']) => ({ duplicates, match: 'both' }) as Running;

describe('a second portion', () => {
  it('is about others if no row has an address of the first', () => {
    const [first, same, other] = [
      portionOf('a@x.example'),
      portionOf('A@x.example'),
      portionOf('b@x.example'),
    ];
    expect(isAboutOthers(other, first, order('skip'))).toBe(true);
    expect(isAboutOthers(same, first, order('skip'))).toBe(false);
    expect(isAboutOthers(same, first, order('create'))).toBe(true);
  });

  it.each(['skip', 'create'] as const)('waits for the first if it opts somebody out: %s', (duplicates) => {
    const first = portionOf('a@x.example', 'Email');
    expect(isAboutOthers(portionOf('b@x.example', 'Email'), first, order(duplicates))).toBe(false);
    expect(isAboutOthers(portionOf('b@x.example'), first, order(duplicates))).toBe(true);
  });
});
