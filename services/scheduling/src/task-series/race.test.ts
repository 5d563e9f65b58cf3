import { Refused } from '@crm/contract';
import { someone } from '@crm/testing';
import { afterAll, expect, it } from 'vitest';
import { schedulingUnderTest } from '../../test/harness.ts';
import { extendSeries } from './extend-series.ts';

const time = { now: new Date('2026-03-02T12:00:00Z') };
const scheduling = await schedulingUnderTest({ clock: () => time.now });
afterAll(scheduling.close);

/** As clients do: repeats a change that waited too long, or was overtaken by another one. */
async function repeated(act: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await act();
      return;
    } catch (error) {
      if (!(error instanceof Refused && ['Unavailable', 'NotFound'].includes(error.name))) throw error;
    }
  }
}

it('twenty changes and four workers at once leave each day exactly once', async () => {
  const anna = { ...someone(), timezone: 'America/New_York' };
  const { scheduledTasks } = scheduling.as(anna);
  const draft = {
    assigned_user_id: anna.id,
    due_at: '2026-03-02T09:00:00',
    description: 'Call',
    status: 'incomplete' as const,
    recurrence_rule: 'FREQ=WEEKLY',
  };
  await scheduledTasks.create(draft);
  const all = async () => (await scheduledTasks.find({ $limit: 1000, $sort: { due_at: 1 } })).data;
  const tasks = await all();
  time.now = new Date('2026-06-01T12:00:00Z');

  const changes = Array.from({ length: 20 }, (_, index) => {
    const task = tasks[index * 4];
    if (!task) throw new Error('There are fewer tasks than changes.');
    const { id } = task;
    const due_at = task.due_at ?? '';
    return repeated(async () => {
      // Sent only if it is still the rule: otherwise a rule that has ended since would start again.
      const { recurrence_rule } = await scheduledTasks.get({ id });
      const change = { ...draft, id, due_at, recurrence_rule, description: `From ${index}`, update_type: 2 };
      return scheduledTasks.patch({ ...change, $where: { recurrence_rule } });
    });
  });
  const workers = Array.from({ length: 4 }, () => extendSeries(scheduling.workerContext));
  await Promise.all([...changes, ...workers]);
  await extendSeries(scheduling.workerContext);

  const days = (await all()).map(({ due_at }) => due_at);
  const first = Temporal.PlainDateTime.from('2026-03-02T09:00:00');
  const expected = days.map((_, week) => first.add({ weeks: week }).toString({ smallestUnit: 'second' }));
  expect(days).toEqual(expected);
  expect(days.length).toBeGreaterThan(tasks.length);
  const open = await scheduling.rows('select from task_series where extend_at is not null');
  expect(open).toHaveLength(1);
});
