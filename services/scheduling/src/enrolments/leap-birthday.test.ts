import { occurrences, textOf } from '@crm/recurrence';
import { describe, expect, it } from 'vitest';
import { base, every, onBirthday } from '../../test/schedules.ts';
import { schedule } from './schedule.ts';

const zone = 'America/New_York';

/** The first five days of a task that recurs from the birthday on, and its rule. */
function daysOf(text: string, birthday: string | null, start: string, changes: object = {}) {
  const action = { ...base, ...every(text, 0, '09:00:00'), ...onBirthday, ...changes };
  const { tasks } = schedule([action], { start: Temporal.Instant.from(start), zone, birthday });
  const recurrence = tasks[0]?.recurrence ?? expect.fail('The task does not recur.');
  const found = occurrences(recurrence.rule, recurrence.start, zone, { limit: 5 });
  return { days: found.map(({ local }) => local.toPlainDate().toString()), rule: textOf(recurrence.rule) };
}

const leapDay = '1980-02-29';

describe('a yearly task for a birthday on 29 February', () => {
  it.each([
    ['2027-02-01T12:00:00Z', 2027],
    ['2027-06-01T12:00:00Z', 2028],
    ['2028-06-01T12:00:00Z', 2029],
  ])('comes each year on the last day of February, for a contact added at %s', (start, first) => {
    const years = Array.from({ length: 5 }, (_, index) => first + index);
    const expected = years.map((year) => `${year}-02-${year % 4 === 0 ? 29 : 28}`);
    expect(daysOf('FREQ=YEARLY', leapDay, start).days).toEqual(expected);
    expect(daysOf('FREQ=YEARLY;BYMONTH=2', leapDay, start).days).toEqual(expected);
  });

  it('keeps the end and the interval of its rule', () => {
    const { days, rule } = daysOf('FREQ=YEARLY;INTERVAL=3;COUNT=3', leapDay, '2027-06-01T12:00:00Z');
    expect(days).toEqual(['2028-02-29', '2031-02-28', '2034-02-28']);
    expect(rule).toBe('FREQ=YEARLY;INTERVAL=3;COUNT=3;BYMONTH=2;BYMONTHDAY=-1');
  });

  it('comes on the day that its rule names, if it names one', () => {
    const { days, rule } = daysOf('FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=28', leapDay, '2027-06-01T12:00:00Z');
    expect([days[0], rule]).toEqual(['2029-02-28', 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=28']);
  });

  it('comes on 1 March if it is a day later', () => {
    const { days } = daysOf('FREQ=YEARLY', leapDay, '2027-06-01T12:00:00Z', { delay_by_days: 1 });
    expect(days.map((day) => day.slice(5))).toEqual(Array(5).fill('03-01'));
  });
});

describe('a yearly task', () => {
  it('comes each year if it first falls on 29 February some days after another birthday', () => {
    const { days } = daysOf('FREQ=YEARLY', '01-30', '2028-01-01T12:00:00Z', { delay_by_days: 30 });
    expect(days.slice(0, 2)).toEqual(['2028-02-29', '2029-02-28']);
  });

  it('comes on the same day of the year for any other birthday, and when no birthday triggers it', () => {
    expect(daysOf('FREQ=YEARLY', '1980-02-28', '2027-06-01T12:00:00Z').rule).toBe('FREQ=YEARLY');
    const added = daysOf('FREQ=YEARLY', leapDay, '2028-02-29T12:00:00Z', { event_trigger_type: '1' });
    expect(added.rule).toBe('FREQ=YEARLY');
  });
});
