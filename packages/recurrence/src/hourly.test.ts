import { describe, expect, it } from 'vitest';
import { occurrences } from './occurrences.ts';
import { readRule } from './read-rule.ts';

function timesOf(text: string, start: string, zone = 'America/New_York', limit = 6): string[] {
  const { rule, refusal } = readRule(text);
  if (!rule) throw new Error(refusal);
  const found = occurrences(rule, Temporal.PlainDateTime.from(start), zone, { limit });
  return found.map(({ local }) => local.toString({ smallestUnit: 'minute' }));
}

describe('an hourly rule', () => {
  it.each([
    ['FREQ=HOURLY;COUNT=3', '2027-01-01T22:30', ['2027-01-01T22:30', '2027-01-01T23:30', '2027-01-02T00:30']],
    [
      'FREQ=HOURLY;INTERVAL=36;COUNT=3',
      '2027-01-01T22:30',
      ['2027-01-01T22:30', '2027-01-03T10:30', '2027-01-04T22:30'],
    ],
    [
      'FREQ=HOURLY;BYDAY=MO;INTERVAL=12;COUNT=3',
      '2027-01-01T09:00',
      ['2027-01-04T09:00', '2027-01-04T21:00', '2027-01-11T09:00'],
    ],
    [
      'FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T170000Z',
      '1997-09-02T09:00',
      ['1997-09-02T09:00', '1997-09-02T12:00'],
    ],
    ['FREQ=HOURLY;UNTIL=20270101T100000', '2027-01-01T09:00', ['2027-01-01T09:00', '2027-01-01T10:00']],
  ])('%s from %s', (text, start, times) => {
    expect(timesOf(text, start)).toEqual(times);
  });

  it('skips the hour that clocks skip, and includes a repeated hour once', () => {
    expect(timesOf('FREQ=HOURLY;COUNT=3', '2027-03-14T01:00')).toEqual([
      '2027-03-14T01:00',
      '2027-03-14T03:00',
      '2027-03-14T04:00',
    ]);
    expect(timesOf('FREQ=HOURLY;COUNT=3', '2027-11-07T00:00')).toEqual([
      '2027-11-07T00:00',
      '2027-11-07T01:00',
      '2027-11-07T02:00',
    ]);
  });
});
