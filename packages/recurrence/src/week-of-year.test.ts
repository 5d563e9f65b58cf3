import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { weekOf } from './week-of-year.ts';

const anyDate = fc
  .integer({ min: 0, max: 80_000 })
  .map((days) => Temporal.PlainDate.from('1950-01-01').add({ days }));

describe('the week of a date', () => {
  it('that begins on Monday is the ISO 8601 week', () => {
    fc.assert(
      fc.property(anyDate, (date) => {
        const { year, number } = weekOf(date, 'MO');
        expect([year, number]).toEqual([date.yearOfWeek, date.weekOfYear]);
      }),
    );
  });

  it.each([
    ['2027-01-02', 'SU', { year: 2026, number: 52, fromEnd: -1 }],
    ['2027-01-03', 'SU', { year: 2027, number: 1, fromEnd: -52 }],
    ['2026-12-31', 'MO', { year: 2026, number: 53, fromEnd: -1 }],
    ['2025-12-29', 'MO', { year: 2026, number: 1, fromEnd: -53 }],
  ] as const)('%s, counted from %s, has its number from either end', (date, weekStart, week) => {
    expect(weekOf(Temporal.PlainDate.from(date), weekStart)).toEqual(week);
  });
});
