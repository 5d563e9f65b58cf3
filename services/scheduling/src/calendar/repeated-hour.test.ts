import type ICAL from 'ical.js';
import { afterAll, describe, expect, it } from 'vitest';
import { occurrencesOf, read } from '../../test/calendar.ts';
import { schedulingUnderTest } from '../../test/harness.ts';
import { recurringTasksIn } from '../../test/recurring-task.ts';
import { calendarOf } from './calendar-of.ts';
import { readCalendar } from './read-calendar.ts';

const scheduling = await schedulingUnderTest({ clock: () => new Date('2026-03-02T12:00:00Z') });
afterAll(scheduling.close);
const series = recurringTasksIn(scheduling);

// In New York, half past one occurs twice on 7 November 2027.
const [earlier, later] = ['2027-11-07T05:30:00.000Z', '2027-11-07T06:30:00.000Z'];

const eventsOf = async (user: { readonly id: number }) => {
  const text = calendarOf(await readCalendar(scheduling.database.query, user), 2026);
  return { text, events: read(text).events };
};

describe('a calendar shows a task in the hour that occurs twice when the clocks go back', () => {
  // By RFC 5545, section 3.3.5, a local time that occurs twice is the first of the two.
  it.each([
    [earlier, 'DTSTART;TZID=America/New_York:20271107T013000'],
    [later, 'DTSTART:20271107T063000Z'],
  ])('at its moment: %s', async (due_at, line) => {
    const { anna, put, at } = await series('FREQ=DAILY;COUNT=1');
    await put(await at(0), { due_at, timezone: 'America/New_York', recurrence_rule: null });
    expect((await eventsOf(anna)).text).toContain(`\r\n${line}\r\n`);
  });

  it('at its moment, if it is an occurrence that was moved there', async () => {
    const { anna, put, at } = await series('FREQ=DAILY;COUNT=3');
    await put(await at(1), { due_at: later, timezone: 'America/New_York' });
    const { text, events } = await eventsOf(anna);
    expect(text).toContain('\r\nDTSTART:20271107T063000Z\r\n');
    expect(text).toContain('\r\nRECURRENCE-ID;TZID=America/New_York:20260303T090000\r\n');
    expect(events).toHaveLength(1);
    expect(occurrencesOf(events[0] as ICAL.Event, 3).map(([moment]) => moment)).toEqual([
      '2026-03-02T14:00:00.000Z',
      later,
      '2026-03-04T14:00:00.000Z',
    ]);
  });

  it('and all-day tasks of that day as the day', async () => {
    const { anna, put, at } = await series('FREQ=DAILY;COUNT=1');
    const change = { due_at: later, timezone: 'America/New_York', recurrence_rule: null, is_all_day: true };
    await put(await at(0), change);
    expect((await eventsOf(anna)).text).toContain('DTSTART;VALUE=DATE:20271107');
  });

  it('and everything else in its time zone', async () => {
    const { anna } = await series('FREQ=DAILY;COUNT=3');
    expect((await eventsOf(anna)).text).toContain('DTSTART;TZID=America/New_York:20260302T090000');
    const { anna: ben } = await series('', { due_at: '2026-03-02T14:00:00.700Z' });
    expect((await eventsOf(ben)).text).toContain('DTSTART;TZID=America/New_York:20260302T090000');
  });
});
