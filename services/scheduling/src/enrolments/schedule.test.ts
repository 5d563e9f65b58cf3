import { describe, expect, it } from 'vitest';
import { base, every, happens, onBirthday, onDay } from '../../test/schedules.ts';
import { schedule } from './schedule.ts';
import type { Action } from './when-of.ts';

describe('what a campaign schedules', () => {
  it('happens some seconds after the start, even across a clock change', () => {
    expect(happens({ delay_by_seconds: 90 })).toBe('2026-03-02T18:01:30Z');
    expect(happens({ delay_by_seconds: 86_400 }, { start: '2026-03-07T18:00:00Z' })).toBe(
      '2026-03-08T18:00:00Z',
    );
  });

  it('happens some days after the local day of the start, at its local time', () => {
    expect(happens(onDay(1, '09:00:00'))).toBe('2026-03-03T14:00:00Z');
    expect(happens(onDay(7, '09:00:00'))).toBe('2026-03-09T13:00:00Z');
    // In UTC it is already the next day.
    expect(happens(onDay(1, '23:00:00'), { start: '2026-03-03T02:00:00Z' })).toBe('2026-03-04T04:00:00Z');
  });

  it('happens on the day of the start, or the next day if its time has passed, and never at another time', () => {
    expect(happens(onDay(0, '13:00:00'))).toBe('2026-03-02T18:00:00Z');
    expect(happens(onDay(0, '12:59:59'))).toBe('2026-03-03T17:59:59Z');
  });

  it('moves forward if the clocks skip its time, and happens at the first of two equal times', () => {
    expect(happens(onDay(6, '02:30:00'))).toBe('2026-03-08T07:30:00Z');
    expect(happens(onDay(1, '01:30:00'), { start: '2026-10-31T12:00:00Z' })).toBe('2026-11-01T05:30:00Z');
    // The day that Samoa skipped.
    const apia = { start: '2011-12-29T20:00:00Z', zone: 'Pacific/Apia' };
    expect(happens(onDay(1, '09:00:00'), apia)).toBe('2011-12-30T19:00:00Z');
  });

  it('happens at an exact moment, whatever the trigger, unless that is before the start', () => {
    const exact = { timing_type: 'Exact Date and Time' } as const;
    expect(happens({ ...exact, dispatch_datetime: '2026-03-02T18:00:00.000Z' })).toBe('2026-03-02T18:00:00Z');
    expect(happens({ ...exact, ...onBirthday, dispatch_datetime: '2026-04-01T00:00:00.000Z' })).toBe(
      '2026-04-01T00:00:00Z',
    );
    expect(happens({ ...exact, dispatch_datetime: '2026-03-02T17:59:59.999Z' })).toBe(
      'The time is before the start.',
    );
  });

  it('happens on the next birthday, or today if its time is in the future', () => {
    const nine = { ...onBirthday, ...onDay(0, '09:00:00') };
    expect(happens(nine, { birthday: '1980-07-04' })).toBe('2026-07-04T13:00:00Z');
    expect(happens(nine, { birthday: '1980-02-04' })).toBe('2027-02-04T14:00:00Z');
    expect(happens({ ...nine, dispatch_time: '13:00:00' }, { birthday: '03/02/1980' })).toBe(
      '2026-03-02T18:00:00Z',
    );
    expect(happens(nine, { birthday: '03/02/1980' })).toBe('2027-03-02T14:00:00Z');
    expect(happens({ ...nine, delay_by_days: 3 }, { birthday: '1980-03-01' })).toBe('2027-03-04T14:00:00Z');
  });

  it('counts a delay after a birthday from the midnight at which it starts', () => {
    expect(happens({ ...onBirthday, delay_by_seconds: 3600 }, { birthday: '07-04' })).toBe(
      '2026-07-04T05:00:00Z',
    );
    expect(happens({ ...onBirthday, delay_by_seconds: 3600 }, { birthday: '03-02' })).toBe(
      '2027-03-02T06:00:00Z',
    );
  });

  it('treats a birthday on 29 February as 28 February, except in leap years', () => {
    const nine = { ...onBirthday, ...onDay(0, '09:00:00') };
    expect(happens(nine, { birthday: '1980-02-29' })).toBe('2027-02-28T14:00:00Z');
    expect(happens(nine, { birthday: 'Feb 29', start: '2027-12-01T00:00:00Z' })).toBe('2028-02-29T14:00:00Z');
  });

  it('is nothing without a readable birthday', () => {
    const nine = { ...onBirthday, ...onDay(0, '09:00:00') };
    expect(happens(nine)).toBe('The contact has no birthday.');
    expect(happens(nine, { birthday: ' ' })).toBe('The contact has no birthday.');
    expect(happens(nine, { birthday: '05.06.1980' })).toBe(
      'The birthday of the contact cannot be read as a date.',
    );
  });

  it('recurs from its first time on, which is not before the start', () => {
    const start = Temporal.Instant.from('2026-03-02T18:00:00Z');
    const of = (action: Partial<Action>, birthday: string | null = null) => {
      const { tasks } = schedule([{ ...base, ...action }], { start, zone: 'America/New_York', birthday });
      return tasks.map(({ first, recurrence }) => [String(recurrence?.start), String(first.local)])[0];
    };
    expect(of(every('FREQ=DAILY', 0, '09:00:00'))).toEqual(['2026-03-03T09:00:00', '2026-03-03T09:00:00']);
    expect(of(every('FREQ=WEEKLY;BYDAY=FR', 3, '09:00:00'))).toEqual([
      '2026-03-05T09:00:00',
      '2026-03-06T09:00:00',
    ]);
    expect(of({ ...every('FREQ=YEARLY', 0, '09:00:00'), ...onBirthday }, '1980-07-04')).toEqual([
      '2026-07-04T09:00:00',
      '2026-07-04T09:00:00',
    ]);
  });

  it('says that a rule never occurs, and that messages cannot recur', () => {
    expect(happens(every('FREQ=DAILY;UNTIL=20200101', 0, '09:00:00'))).toBe(
      'The recurrence rule never occurs on or after its start.',
    );
    expect(happens(every('FREQ=MINUTELY', 0, '09:00:00'))).toMatch(
      /^The recurrence rule must not recur more often than hourly, .*\.$/,
    );
    expect(happens({ ...every('FREQ=DAILY', 0, '09:00:00'), type: 'Text Contact' })).toBe(
      'Only tasks can recur.',
    );
  });

  it('is nothing without a time, or with one too far in the future', () => {
    const { timing_type } = onDay(0, '');
    for (const action of [
      {},
      { timing_type },
      { timing_type, delay_by_days: 1 },
      { timing_type: 'Exact Date and Time' },
      { ...every('', 1, '09:00:00'), recurrence: null },
    ] as const)
      expect(happens(action)).toBe('The action has no time.');
    for (const action of [
      onDay(2_147_483_647, '09:00:00'),
      onDay(40_000, '09:00:00'),
      every('FREQ=DAILY', 40_000, '09:00:00'),
      { timing_type: 'Exact Date and Time', dispatch_datetime: '2101-01-02T00:00:00.000Z' } as const,
      { ...onBirthday, ...onDay(3_700_000, '09:00:00') },
      every('FREQ=DAILY', 2_600_000, '09:00:00'),
    ])
      expect(happens(action, { birthday: '05-06' })).toBe('The time is too far in the future.');
  });
});
