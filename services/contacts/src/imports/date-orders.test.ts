import { afterAll, describe, expect, it } from 'vitest';
import { importing } from '../../test/importing.ts';

const contacts = await importing();
afterAll(contacts.close);
const { person, done, ofUser } = contacts;

const file = (...dates: readonly string[]) =>
  ['First Name,Birthday,Renewal', ...dates.map((date, n) => `Anna ${n},${date}`)].join('\n');

describe('a column of dates', () => {
  it.each([
    ['28/10/1955,', '10/28/1955,', 'Birthday', '28/10/1955', '10/28/1955'],
    ['5/6/1960,', '28/10/1955,', 'Birthday', '28/10/1955', '5/6/1960'],
    ['28-10-55,', '5/6/60,', 'Birthday', '28-10-55', '5/6/60'],
    ['10.28.1955,', '5.6.1960,', 'Birthday', '5.6.1960', '10.28.1955'],
    [',28/10/2025', ',5/6/2026', 'Renewal', '28/10/2025', '5/6/2026'],
  ])(
    'in which the day comes first and the month comes first is refused: %s %s',
    async (one, other, column, day, month) => {
      const anna = await person();
      await contacts.as(anna).customFields.create({ name: 'Renewal', data_type: 'Date' });
      // In another portion.
      const text = file(one, ...Array.from({ length: 1_200 }, () => ','), other);
      const [dayLine, monthLine] = one.includes(day) ? [2, 1_203] : [1_203, 2];
      for (const dry_run of [true, false]) {
        const { status, error, created } = await done(anna, text, { dry_run });
        expect([status, error, created]).toEqual([
          'Failed',
          `In the column "${column}", line ${dayLine} begins with the day (${day}), and line ${monthLine} would be read as beginning with the month (${month}). Write all its dates as YYYY-MM-DD.`,
          0,
        ]);
      }
      expect(await ofUser(anna)).toEqual([]);
    },
  );

  it.each([
    ['28/10/1955,10/28/2025', '13/10/1955,5/6/2025'],
    ['28.10.1955,', '10/28/1955,'],
    ['28/10/1955,', '6/6/1960,'],
    ['28/10/1955,', "'5/6/1960,"],
    ['28/10/1955,', '5/6,'],
    ['1955-10-28,', '5/6/1960,'],
    ['28/10/1955,', 'May 6 1960,'],
  ])('that can be read in one way is imported: %s %s', async (...dates) => {
    const anna = await person();
    expect(await done(anna, file(...dates))).toMatchObject({ status: 'Done', created: 2 });
  });
});
