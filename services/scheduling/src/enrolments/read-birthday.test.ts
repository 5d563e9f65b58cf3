import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readBirthday } from './read-birthday.ts';

const read = (text: string) => {
  const birthday = readBirthday(text);
  return birthday && `${birthday.month}-${birthday.day}`;
};

describe('a birthday', () => {
  it.each([
    ['1980-05-31', '5-31'],
    ['1980-5-3', '5-3'],
    ['1980/05/31', '5-31'],
    ['1980.05.31', '5-31'],
    ['1980-05-31T00:00:00.000Z', '5-31'],
    ['1980-05-31 00:00:00', '5-31'],
    ['0000-05-31', '5-31'],
    ['05/31/1980', '5-31'],
    ['5/3/1980', '5-3'],
    ['05-31-1980', '5-31'],
    ['5/31/80', '5-31'],
    ['05-31', '5-31'],
    ['--05-31', '5-31'],
    ['5/31', '5-31'],
    ['May 31', '5-31'],
    ['  may 31ST, 1980 ', '5-31'],
    ['May 31 1980', '5-31'],
    ["Sept. 3rd '80", '9-3'],
    ['31 May', '5-31'],
    ['31st of May 1980', '5-31'],
    ['31-May-1980', '5-31'],
    ['31.05.1980', '5-31'],
    ['05.31.1980', '5-31'],
    ['05.05.1980', '5-5'],
    ['31/05/1980', '5-31'],
    ['02/29/1980', '2-29'],
    ['Feb 29', '2-29'],
  ])('"%s" is %s', (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  it.each([
    '',
    'unknown',
    '1980',
    'May',
    'May 1980',
    'May 32',
    'Mayday 3',
    '1980-05',
    '1980-13-01',
    '1980-02-30',
    '1981-02-29',
    'Feb 29, 1981',
    '05.06.1980',
    '31/05/80',
    '05-06-80',
    '13/13/1980',
    '0/5/1980',
    '05/00/1980',
    '19800531',
    '5 31',
    '31 May or 1 June',
    '١/٢/1980',
    '-05-31',
    '1980-05/31',
  ])('"%s" is not a date, or is ambiguous', (text) => {
    expect(read(text)).toBeUndefined();
  });

  it('is a date or undefined for any text', () => {
    const likely = fc
      .array(
        fc.constantFrom('1', '2', '9', '0', '31', '1980', '/', '-', '.', ' ', ',', 'May', 'feb', 'th', 'T'),
        {
          maxLength: 8,
        },
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.oneof(likely, fc.string({ unit: 'binary' })), (text) => {
        const birthday = readBirthday(text);
        if (!birthday) return;
        const { month, day } = birthday;
        const date = Temporal.PlainDate.from({ year: 2000, month, day }, { overflow: 'reject' });
        expect(date.toString()).toMatch(/^2000-/);
      }),
    );
  });
});
