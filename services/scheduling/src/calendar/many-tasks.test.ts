import { someone } from '@crm/testing';
import ICAL from 'ical.js';
import { afterAll, expect, it } from 'vitest';
import { schedulingUnderTest } from '../../test/harness.ts';
import { calendarOf } from './calendar-of.ts';
import { readCalendar } from './read-calendar.ts';

const scheduling = await schedulingUnderTest({ clock: () => new Date('2026-03-02T12:00:00Z') });
afterAll(scheduling.close);

it('a calendar with more tasks than it reads contains each series and what is due next', async () => {
  const anna = someone();
  const api = scheduling.as(anna).scheduledTasks;
  const add = (description: string, due_at: string, more = {}) =>
    api.create({ assigned_user_id: anna.id, due_at, description, status: 'incomplete', ...more });
  const numbers = Array.from({ length: 60 }, (_, index) => index);
  const weekly = { recurrence_rule: 'FREQ=WEEKLY' };
  for (const number of numbers) await add(`Weekly ${number}`, '2026-03-02T09:00:00', weekly);
  await add('Tomorrow', '2026-03-03T09:00:00');
  await add('In five years', '2031-03-03T09:00:00');

  const { data, total } = await api.find({ $limit: 3, $sort: { due_at: 1 }, description: 'Weekly 7' });
  expect(total * numbers.length).toBeGreaterThan(5_000);
  const [first, second, third] = data.map((task) => ({
    ...task,
    assigned_user_id: anna.id,
    due_at: task.due_at ?? '',
  }));
  await api.patch({ ...(first ?? expect.fail()), status: 'complete', update_type: 3 });
  await api.patch({ ...(second ?? expect.fail()), description: 'Ask for Ann' });
  await api.remove({ id: (third ?? expect.fail()).id });

  const text = calendarOf(await readCalendar(scheduling.database.query, anna), 2026);
  const events = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent');
  const shown = events.map((event) => [
    String(event.getFirstPropertyValue('summary')),
    String(event.getFirstPropertyValue('dtstart')),
    event.getAllProperties('exdate').map((property) => String(property.getFirstValue())),
  ]);
  const series = numbers.map((number) =>
    number === 7
      ? ['Weekly 7', '2026-03-09T09:00:00', ['2026-03-16T09:00:00']]
      : [`Weekly ${number}`, '2026-03-02T09:00:00', []],
  );
  const others = [
    ['Ask for Ann', '2026-03-09T09:00:00', []],
    ['Tomorrow', '2026-03-03T09:00:00', []],
    ['In five years', '2031-03-03T09:00:00', []],
  ];
  expect(shown.toSorted()).toEqual([...series, ...others].toSorted());
});
