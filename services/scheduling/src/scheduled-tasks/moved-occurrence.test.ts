import { afterAll, describe, expect, it } from 'vitest';
import { schedulingUnderTest } from '../../test/harness.ts';
import { recurringTasksIn } from '../../test/recurring-task.ts';

const scheduling = await schedulingUnderTest({ clock: () => new Date('2026-03-02T12:00:00Z') });
afterAll(scheduling.close);
const series = recurringTasksIn(scheduling);

/** A series whose second occurrence was moved alone, with the due times of all its tasks by id. */
async function withMoved(rule: string, change: object) {
  const tasks = await series(rule);
  const { id } = await tasks.at(1);
  await tasks.put(await tasks.at(1), change);
  const times = async () => new Map((await tasks.all()).map((task) => [task.id, task.due_at_utc]));
  const moved = () => tasks.api.scheduledTasks.get({ id });
  return { ...tasks, id, times, moved };
}

const cases = [
  ['FREQ=WEEKLY;BYDAY=MO;COUNT=4', '2026-03-10T14:00:00'],
  ['FREQ=WEEKLY;BYDAY=MO;COUNT=4', '2026-03-06T14:00:00'],
  ['FREQ=WEEKLY;BYDAY=MO;COUNT=4', '2026-03-24T14:00:00'],
  ['FREQ=MONTHLY;BYMONTHDAY=2;COUNT=4', '2026-04-03T09:00:00'],
  ['FREQ=WEEKLY;BYDAY=MO;UNTIL=20260323T235959', '2026-03-10T14:00:00'],
  ['FREQ=WEEKLY;COUNT=3', '2026-03-10T14:00:00'],
] as const;

describe('an occurrence that was moved, when it is changed with the following ones', () => {
  it.each(cases)('moves none of them if its due time is sent back: %s to %s', async (rule, due_at) => {
    const { put, times, moved, all } = await withMoved(rule, { due_at });
    const before = await times();
    const changed = await put(await moved(), { description: 'Write', update_type: 2 });
    expect(changed).toMatchObject({ due_at, description: 'Write' });
    expect(await times()).toEqual(before);
    expect((await all()).filter(({ description }) => description === 'Write')).toHaveLength(before.size - 1);
  });

  it('moves none of them if its due time is sent back as a moment', async () => {
    const { put, times, moved } = await withMoved('FREQ=WEEKLY;COUNT=3', { due_at: '2026-03-10T14:00:00' });
    const before = await times();
    const { due_at_utc } = await moved();
    await put(await moved(), { due_at: due_at_utc, description: 'Write', update_type: 2 });
    expect(await times()).toEqual(before);
  });

  it('keeps its moment if it was moved in another zone, and is then shown in that of its series', async () => {
    const elsewhere = { due_at: '2026-03-10T14:00:00', timezone: 'Europe/Berlin' };
    const { put, times, moved } = await withMoved('FREQ=WEEKLY;COUNT=3', elsewhere);
    const before = await times();
    await put(await moved(), { description: 'Write', update_type: 2 });
    expect(await times()).toEqual(before);
    expect(await moved()).toMatchObject({ due_at: '2026-03-10T09:00:00', timezone: 'America/New_York' });
  });

  it('is the first of a series that other changes continue at the regular times', async () => {
    const { put, id, at, times, moved } = await withMoved('FREQ=WEEKLY;COUNT=4', {
      due_at: '2026-03-10T14:00:00',
    });
    await put(await moved(), { description: 'Write', update_type: 2 });
    await put(await at(2), { due_at: '2026-03-16T11:00:00', description: 'Visit', update_type: 2 });
    expect([...(await times()).values()]).toEqual([
      '2026-03-02T14:00:00.000Z',
      '2026-03-10T18:00:00.000Z',
      '2026-03-16T15:00:00.000Z',
      '2026-03-23T15:00:00.000Z',
    ]);
    expect(await moved()).toMatchObject({ id, recurrence_rule: 'FREQ=WEEKLY;UNTIL=20260316T085959' });
  });
});
