import { describe, expect, it } from 'vitest';
import { checkCell } from './check-cell.ts';

const today = '2026-11-22';

describe('an opt-out cell', () => {
  it.each([
    ...['yes', 'Y', 'TRUE', '1', '1.0', '1,00', 'x', '✓', 'on', ' Yes. ', "'yes"],
    ...[
      'Opted Out',
      'opted-out',
      'opt_out',
      'opted\u2011out',
      'Do Not Allow',
      'Unsubscribed',
      'unsubscribed.',
      'cleaned',
      'Hard Bounce',
      'spam',
      'Do Not Email',
      "Don't email",
      'Don\u2019t Text',
    ],
    ...['2024-05-02 11:05:33', '2024-05-02T11:05:33Z', '5/2/2024', '5/2/2024 3:07 PM', 'Oct 28, 2024'],
  ])('%j opts somebody out', (cell) => {
    expect(checkCell(cell, 'opt-out', today)).toEqual({ value: 'yes' });
  });

  it.each([
    ...[
      '',
      '  ',
      'no',
      'N',
      'False',
      '0',
      '0.0',
      '0,00',
      'off',
      '-',
      'n/a',
      '0000-00-00',
      '0/0/00',
      '0.0.0000',
    ],
    ...['Subscribed', 'opted in', 'Opt-In', 'Active', 'not opted out', 'valid'],
    ...['single opt-in', 'Double Opt-In', 'Pending', 'risky', 'catch-all', 'inactive', 'Soft Bounce'],
  ])('%j has no effect', (cell) => {
    expect(checkCell(cell, 'opt-out', today)).toEqual({ value: '' });
  });

  it.each(['maybe', '29221', '2', '2.0', '0-0', '0/0', '00.00', 'ask him', "'maybe", "'=1", 'yes no'])(
    '%j is an error',
    (cell) => {
      expect(checkCell(cell, 'opt-out', today)).toEqual({
        error: expect.stringMatching(/^must be yes or no, but is ".*"; correct it, or leave the column out$/),
      });
    },
  );

  it.each([
    ['no', 'yes'],
    ['False', 'yes'],
    ['0', 'yes'],
    ['0.0', 'yes'],
    ['0.00', 'yes'],
    ['1.0', ''],
    ['never', 'yes'],
    ['unsubscribed', 'yes'],
    ['yes', ''],
    ['true', ''],
    ['x', ''],
    ['2024-05-02', ''],
    ['subscribed', ''],
    ['', ''],
    ['n/a', ''],
    ['0000-00-00', ''],
  ])('%j in a column that asks who may get messages is %j', (cell, value) => {
    expect(checkCell(cell, 'opt-in', today)).toEqual({ value });
  });
});
