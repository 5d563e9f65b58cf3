import { describe, expect, it } from 'vitest';
import { occurrences, type Window } from './occurrences.ts';
import { readRule } from './read-rule.ts';

function series(text: string, start: string, zone: string, window: Partial<Window> = {}) {
  const { rule, refusal } = readRule(text);
  if (!rule) throw new Error(refusal);
  return occurrences(rule, Temporal.PlainDateTime.from(start), zone, { limit: 1000, ...window });
}

const locals = (...of: Parameters<typeof series>) =>
  series(...of).map(({ local }) => local.toString({ smallestUnit: 'minute' }));
const instants = (...of: Parameters<typeof series>) => series(...of).map(({ instant }) => instant.toString());
const numbers = (...of: Parameters<typeof series>) => series(...of).map(({ index }) => index);
const at = (text: string) => Temporal.Instant.from(text);

describe('a series', () => {
  it('keeps its local time when the clocks change', () => {
    expect(instants('FREQ=DAILY;COUNT=3', '2027-03-13T09:00', 'America/New_York')).toEqual([
      '2027-03-13T14:00:00Z',
      '2027-03-14T13:00:00Z',
      '2027-03-15T13:00:00Z',
    ]);
  });

  it.each([
    ['America/New_York', '2027-03-13T02:30', ['2027-03-13T02:30', '2027-03-15T02:30', '2027-03-16T02:30']],
    ['Europe/Berlin', '2027-03-27T02:30', ['2027-03-27T02:30', '2027-03-29T02:30', '2027-03-30T02:30']],
    ['Australia/Lord_Howe', '2027-10-02T02:15', ['2027-10-02T02:15', '2027-10-04T02:15', '2027-10-05T02:15']],
    ['America/Havana', '2027-03-13T00:30', ['2027-03-13T00:30', '2027-03-15T00:30', '2027-03-16T00:30']],
    ['Pacific/Apia', '2011-12-29T09:00', ['2011-12-29T09:00', '2011-12-31T09:00', '2012-01-01T09:00']],
    ['America/Santiago', '2026-09-05T00:30', ['2026-09-05T00:30', '2026-09-07T00:30', '2026-09-08T00:30']],
  ])('in %s leaves out, and does not count, a time that clocks skip', (zone, start, expected) => {
    expect(locals('FREQ=DAILY;COUNT=3', start, zone)).toEqual(expected);
    expect(numbers('FREQ=DAILY;COUNT=3', start, zone)).toEqual([0, 1, 2]);
  });

  it('does not let BYSETPOS select a time that clocks skip', () => {
    // The last Sunday of March 2027 is the 28th, when Berlin has no half past two.
    expect(locals('FREQ=MONTHLY;BYDAY=SU;BYSETPOS=-1;COUNT=2', '2027-03-01T02:30', 'Europe/Berlin')).toEqual([
      '2027-03-21T02:30',
      '2027-04-25T02:30',
    ]);
  });

  it('includes a time that occurs twice only once, the first time', () => {
    expect(instants('FREQ=DAILY;COUNT=3', '2027-11-06T01:30', 'America/New_York')).toEqual([
      '2027-11-06T05:30:00Z',
      '2027-11-07T05:30:00Z',
      '2027-11-08T06:30:00Z',
    ]);
  });

  it('does not include a start that does not match', () => {
    expect(locals('FREQ=WEEKLY;BYDAY=TU;COUNT=2', '2027-03-01T09:00', 'UTC')).toEqual([
      '2027-03-02T09:00',
      '2027-03-09T09:00',
    ]);
  });

  it('counts weeks from the week of the start, whichever day it begins on', () => {
    const text = 'FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,MO;COUNT=3';
    expect(locals(`${text};WKST=MO`, '2027-03-03T09:00', 'UTC')).toEqual([
      '2027-03-07T09:00',
      '2027-03-15T09:00',
      '2027-03-21T09:00',
    ]);
    expect(locals(`${text};WKST=SU`, '2027-03-03T09:00', 'UTC')).toEqual([
      '2027-03-14T09:00',
      '2027-03-15T09:00',
      '2027-03-28T09:00',
    ]);
  });

  it('counts BYSETPOS from the beginning of the period that contains the start', () => {
    expect(locals('FREQ=WEEKLY;BYDAY=MO,WE,FR;BYSETPOS=2;COUNT=2', '2027-03-04T09:00', 'UTC')).toEqual([
      '2027-03-10T09:00',
      '2027-03-17T09:00',
    ]);
  });

  it('counts BYSETPOS across the end of a year', () => {
    // Friday, 1 January 2027, comes second in a week that begins in 2026.
    expect(locals('FREQ=WEEKLY;BYDAY=MO,FR;BYSETPOS=2;COUNT=1', '2027-01-01T09:00', 'UTC')).toEqual([
      '2027-01-01T09:00',
    ]);
    // Friday, 31 December 2027, is not the last in its week, though the window ends with the year.
    const window = { until: at('2027-12-31T20:00Z') };
    expect(locals('FREQ=WEEKLY;BYDAY=FR,SA;BYSETPOS=-1', '2027-12-27T09:00', 'UTC', window)).toEqual([]);
  });

  it('skips the months that have no such day', () => {
    expect(locals('FREQ=MONTHLY;COUNT=3', '2027-01-31T09:00', 'UTC')).toEqual([
      '2027-01-31T09:00',
      '2027-03-31T09:00',
      '2027-05-31T09:00',
    ]);
    expect(locals('FREQ=YEARLY;COUNT=2', '2028-02-29T09:00', 'UTC')).toEqual([
      '2028-02-29T09:00',
      '2032-02-29T09:00',
    ]);
  });

  it('combines days with and without a number', () => {
    expect(locals('FREQ=MONTHLY;BYDAY=MO,1TU;COUNT=6', '2027-03-01T09:00', 'UTC')).toEqual(
      ['01', '02', '08', '15', '22', '29'].map((day) => `2027-03-${day}T09:00`),
    );
  });

  it('assigns the first days of a year to the right week', () => {
    // 1 and 2 January 2011 are in week 52 of 2010, which rrule numbers 53.
    const days = 'BYDAY=MO,TU,WE,TH,FR,SA,SU';
    expect(locals(`FREQ=YEARLY;BYWEEKNO=52;${days};COUNT=7`, '2010-12-01T09:00', 'UTC').slice(-2)).toEqual([
      '2011-01-01T09:00',
      '2011-01-02T09:00',
    ]);
    expect(locals(`FREQ=YEARLY;BYWEEKNO=53;${days};COUNT=1`, '2010-12-01T09:00', 'UTC')).toEqual([
      '2015-12-28T09:00',
    ]);
  });

  it('is empty for a start from which the rule never occurs', () => {
    expect(locals('FREQ=DAILY;INTERVAL=7;BYDAY=MO', '2027-03-02T09:00', 'UTC')).toEqual([]);
    expect(locals('FREQ=YEARLY;INTERVAL=4;BYMONTH=2;BYMONTHDAY=29', '2027-01-01T09:00', 'UTC')).toEqual([]);
  });

  it('is computed for 150 years', () => {
    const years = locals('FREQ=YEARLY', '2000-05-01T09:00', 'UTC');
    expect([years.length, years.at(-1)]).toEqual([151, '2150-05-01T09:00']);
  });
});

describe('UNTIL', () => {
  const daily = (until: string, start = '2027-03-13T21:00') =>
    locals(`FREQ=DAILY;UNTIL=${until}`, start, 'America/New_York');

  it('as a date includes that day in local time', () => {
    expect(daily('20270314')).toEqual(['2027-03-13T21:00', '2027-03-14T21:00']);
  });

  it('as a date-time without a zone is compared with the local time', () => {
    expect(daily('20270314T210000')).toEqual(['2027-03-13T21:00', '2027-03-14T21:00']);
    expect(daily('20270314T205959')).toEqual(['2027-03-13T21:00']);
  });

  it('as a date-time in UTC is compared with the moment', () => {
    expect(daily('20270315T010000Z')).toEqual(['2027-03-13T21:00', '2027-03-14T21:00']);
    expect(daily('20270315T005959Z')).toEqual(['2027-03-13T21:00']);
  });

  it('before the start leaves nothing', () => {
    expect(daily('20270312')).toEqual([]);
  });
});

describe('a window', () => {
  const weekdays = ['FREQ=DAILY;COUNT=10', '2027-03-01T09:00', 'UTC'] as const;

  it('includes its first moment and excludes its last, and keeps the numbers of the whole series', () => {
    const window = { from: at('2027-03-03T09:00:00Z'), until: at('2027-03-05T09:00:00Z') };
    expect(locals(...weekdays, window)).toEqual(['2027-03-03T09:00', '2027-03-04T09:00']);
    expect(numbers(...weekdays, window)).toEqual([2, 3]);
  });

  it('has no more than its limit', () => {
    expect(numbers(...weekdays, { from: at('2027-03-03T00:00:00Z'), limit: 3 })).toEqual([2, 3, 4]);
    expect(numbers(...weekdays, { limit: 0 })).toEqual([]);
  });

  it('before or after the series is empty', () => {
    expect(locals(...weekdays, { until: at('2027-03-01T09:00:00Z') })).toEqual([]);
    expect(locals(...weekdays, { from: at('2027-03-11T00:00:00Z') })).toEqual([]);
  });
});
