import { afterAll, describe, expect, it } from 'vitest';
import { schedulingUnderTest } from '../../test/harness.ts';
import { recurringTasksIn } from '../../test/recurring-task.ts';

const scheduling = await schedulingUnderTest({ clock: () => new Date('2026-03-02T12:00:00Z') });
afterAll(scheduling.close);
const series = recurringTasksIn(scheduling);

type Tasks = Awaited<ReturnType<typeof series>>;

const times = async ({ all }: Tasks) => (await all()).map(({ due_at }) => due_at?.slice(5, 16));
const idsOf = async ({ all }: Tasks) => (await all()).map(({ id }) => id).toSorted((a, b) => a - b);

/** Moves an occurrence and the following ones of its series. */
const move = async (tasks: Tasks, index: number, due_at: string, more: object = {}) =>
  tasks.put(await tasks.at(index), { due_at, update_type: 2, ...more });

describe('a series that is moved with the same rule', () => {
  it.each(['UNTIL=20260306T090000', 'UNTIL=20260306T140000Z', 'UNTIL=20260306', 'COUNT=5'])(
    'keeps its last occurrence, whatever its end: %s',
    async (end) => {
      const tasks = await series(`FREQ=DAILY;${end}`);
      const before = await idsOf(tasks);
      await move(tasks, 2, '2026-03-04T10:00:00');
      expect(await times(tasks)).toEqual([
        '03-02T09:00',
        '03-03T09:00',
        '03-04T10:00',
        '03-05T10:00',
        '03-06T10:00',
      ]);
      expect(await idsOf(tasks)).toEqual(before);
    },
  );

  it('keeps all occurrences beyond its UNTIL', async () => {
    const tasks = await series('FREQ=DAILY;UNTIL=20260305');
    const before = await idsOf(tasks);
    expect(await move(tasks, 2, '2027-01-04T09:00:00')).toMatchObject({
      recurrence_rule: 'FREQ=DAILY;COUNT=2',
    });
    expect(await times(tasks)).toEqual(['03-02T09:00', '03-03T09:00', '01-04T09:00', '01-05T09:00']);
    expect(await idsOf(tasks)).toEqual(before);
  });

  it('keeps its UNTIL as it was written, if that leaves the same occurrences', async () => {
    const tasks = await series('UNTIL=20260306;FREQ=DAILY');
    expect(await move(tasks, 2, '2026-03-04T10:00:00')).toMatchObject({
      recurrence_rule: 'UNTIL=20260306;FREQ=DAILY',
    });
  });

  it('gets no other occurrence if it was split and is moved to an earlier time', async () => {
    const tasks = await series('FREQ=DAILY;COUNT=6');
    await tasks.put(await tasks.at(4), { description: 'Write', update_type: 2 });
    const before = await idsOf(tasks);
    await move(tasks, 2, '2026-03-04T07:00:00');
    expect(await times(tasks)).toEqual([
      '03-02T09:00',
      '03-03T09:00',
      '03-04T07:00',
      '03-05T07:00',
      '03-06T09:00',
      '03-07T09:00',
    ]);
    expect(await idsOf(tasks)).toEqual(before);
  });

  it.each([
    ['FREQ=DAILY', '2026-03-04T07:00:00'],
    ['FREQ=WEEKLY', '2026-03-13T09:00:00'],
    ['FREQ=MONTHLY', '2026-04-30T09:00:00'],
  ])('gets none of the following ones back that were removed: %s', async (rule, due_at) => {
    const tasks = await series(rule);
    const { id } = await tasks.at(4);
    await tasks.api.scheduledTasks.remove({ id, delete_type: 2 });
    const before = await idsOf(tasks);
    await move(tasks, 2, due_at);
    expect(await idsOf(tasks)).toEqual(before);
  });

  it('gets none back when it becomes one of whole days', async () => {
    const tasks = await series('FREQ=DAILY');
    const { id } = await tasks.at(4);
    await tasks.api.scheduledTasks.remove({ id, delete_type: 2 });
    await move(tasks, 2, '2026-03-04T00:00:00', { is_all_day: true });
    expect(await tasks.days()).toEqual(['03-02', '03-03', '03-04', '03-05']);
  });

  it('loses none when it moves to another zone', async () => {
    const tasks = await series('FREQ=DAILY;UNTIL=20260305T140000Z');
    const before = await idsOf(tasks);
    await move(tasks, 1, '2026-03-03T09:00:00', { timezone: 'America/Los_Angeles' });
    expect(await idsOf(tasks)).toEqual(before);
  });
});
