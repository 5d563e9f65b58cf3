import type ICAL from 'ical.js';
import { afterAll, describe, expect, it } from 'vitest';
import { occurrencesOf, read } from '../../test/calendar.ts';
import { schedulingUnderTest } from '../../test/harness.ts';
import { recurringTasksIn } from '../../test/recurring-task.ts';
import { calendarOf } from '../calendar/calendar-of.ts';
import { readCalendar } from '../calendar/read-calendar.ts';
import { extendSeries } from '../task-series/extend-series.ts';

const time = { now: new Date('2026-09-01T12:00:00Z') };
const scheduling = await schedulingUnderTest({ clock: () => time.now });
afterAll(scheduling.close);
const series = recurringTasksIn(scheduling);

// In Chile, 6 September 2026 starts at one o'clock.
const days = ['09-04', '09-05', '09-06', '09-07', '09-08'];
const inChile = { due_at: '2026-09-04T00:00:00', timezone: 'America/Santiago' };
const allDay = { ...inChile, is_all_day: true };

async function calendarDays(user: { readonly id: number }) {
  const { events } = read(calendarOf(await readCalendar(scheduling.database.query, user), 2026));
  expect(events).toHaveLength(1);
  return occurrencesOf(events[0] as ICAL.Event, 9).map(([moment]) => moment.slice(5, 10));
}

describe('an all-day recurring task', () => {
  it('has a task on the day whose midnight clocks skip, on the same days as in a calendar', async () => {
    const { all, anna, days: shown } = await series('FREQ=DAILY;COUNT=5', allDay);
    expect(await shown()).toEqual(days);
    expect(await calendarDays(anna)).toEqual(days);
    expect((await all())[2]).toMatchObject({ due_at_utc: '2026-09-06T04:00:00.000Z' });
  });

  it('keeps its days when it is changed with the following ones, from that day on as well', async () => {
    for (const index of [1, 2]) {
      const { at, put, anna, all, days: shown } = await series('FREQ=DAILY;COUNT=5', allDay);
      await put(await at(index), { description: 'Write', update_type: 2 });
      expect(await shown()).toEqual(days);
      const { data } = await scheduling.as(anna).tasks.find({ description: 'Write' });
      expect(data).toHaveLength(5 - index);
      expect((await all()).at(-1)?.recurrence_rule).toBe(`FREQ=DAILY;COUNT=${5 - index}`);
    }
  });

  it('keeps its days when one that was moved alone is changed with the following ones', async () => {
    const { at, put, all } = await series('FREQ=DAILY;COUNT=5', allDay);
    await put(await at(1), { due_at: '2026-09-05T14:00:00' });
    const before = (await all()).map(({ due_at_utc }) => due_at_utc);
    await put(await at(1), { description: 'Write', update_type: 2 });
    expect((await all()).map(({ due_at_utc }) => due_at_utc)).toEqual(before);
  });

  it('keeps its days when it is extended', async () => {
    const {
      api,
      first,
      days: shown,
    } = await series('FREQ=DAILY', { ...allDay, due_at: '2024-09-06T00:00:00' });
    await api.scheduledTasks.patch({ id: first.id, update_type: 3, status: 'complete' });
    await extendSeries({ ...scheduling.workerContext, clock: () => new Date('2026-09-03T12:00:00Z') });
    const all = await shown();
    expect(all).toHaveLength(501);
    expect(new Set(all.slice(0, 365)).size).toBe(365);
  });

  it('has no task at a time that clocks skip if it has a time of day', async () => {
    const { days: shown } = await series('FREQ=DAILY;COUNT=5', inChile);
    expect(await shown()).toEqual(['09-04', '09-05', '09-07', '09-08', '09-09']);
  });
});
