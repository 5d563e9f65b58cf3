import { afterAll, describe, expect, it } from 'vitest';
import { schedulingUnderTest } from '../../test/harness.ts';
import { newYorker, recurringTasksIn } from '../../test/recurring-task.ts';
import { extendSeries } from '../task-series/extend-series.ts';

const start = new Date('2026-03-02T12:00:00Z');
const time = { now: start };
const scheduling = await schedulingUnderTest({ clock: () => time.now });
afterAll(scheduling.close);

const series = recurringTasksIn(scheduling);

describe('a recurring task', () => {
  it('is listed as its occurrences, and the first one is returned', async () => {
    const { first, all } = await series('FREQ=WEEKLY;COUNT=3');
    expect(first).toMatchObject({
      due_at: '2026-03-02T09:00:00',
      due_at_utc: '2026-03-02T14:00:00.000Z',
      recurrence_rule: 'FREQ=WEEKLY;COUNT=3',
      event: { type: 'recurrent', action: 'tasks', single_due_at: '2026-03-02T14:00:00.000Z' },
    });
    const tasks = await all();
    expect(tasks.map(({ due_at }) => due_at)).toEqual([
      '2026-03-02T09:00:00',
      '2026-03-09T09:00:00',
      '2026-03-16T09:00:00',
    ]);
    expect(new Set(tasks.map(({ scheduled_event_id }) => scheduled_event_id)).size).toBe(1);
    expect(tasks[0]).toEqual(first);
  });

  it('keeps its local time across both clock changes, in both versions', async () => {
    const { api, all } = await series('FREQ=WEEKLY;COUNT=40');
    const tasks = await all();
    const older = (await api.tasks.find({ $limit: 1000, $sort: { due_at: 1 } })).data;
    expect(new Set(tasks.map(({ due_at }) => due_at?.slice(10)))).toEqual(new Set(['T09:00:00']));
    expect(new Set(older.map(({ due_at }) => due_at?.slice(10)))).toEqual(new Set([' 09:00:00']));
    expect(older.map(({ due_at_utc }) => due_at_utc)).toEqual(tasks.map(({ due_at_utc }) => due_at_utc));
    const hours = new Map(
      tasks.map(({ due_at, due_at_utc }) => [due_at?.slice(5, 10), due_at_utc?.slice(11, 13)]),
    );
    expect([hours.get('03-02'), hours.get('03-09'), hours.get('10-26'), hours.get('11-02')]).toEqual([
      '14',
      '13',
      '13',
      '14',
    ]);
  });

  it.each([
    ['nonsense', 'FREQ=SOMETIMES'],
    ['never occurring', 'FREQ=DAILY;UNTIL=20200101'],
  ])(
    'with a rule that is %s is refused with the name of the field, and nothing is stored',
    async (_, recurrence_rule) => {
      const anna = newYorker();
      const { scheduledTasks } = scheduling.as(anna);
      const draft = { assigned_user_id: anna.id, due_at: '2026-03-02T09:00', description: 'x' };
      await expect(
        scheduledTasks.create({ ...draft, status: 'incomplete', recurrence_rule }),
      ).rejects.toMatchObject({ name: 'BadRequest', errors: { recurrence_rule: expect.any(String) } });
      expect(await scheduledTasks.find({})).toMatchObject({ total: 0 });
      expect(await scheduling.rows('select from task_series where crm_user_id = $1', [anna.id])).toEqual([]);
    },
  );

  it('that is created as complete is complete only in its first occurrence', async () => {
    const { all } = await series('FREQ=DAILY;COUNT=3', { status: 'complete' });
    expect((await all()).map(({ status }) => status)).toEqual(['complete', 'incomplete', 'incomplete']);
  });
});

describe('a change of an occurrence alone', () => {
  it('is the default, and keeps it in its series', async () => {
    const { all, at, put } = await series('FREQ=DAILY;COUNT=3');
    await put(await at(1), { description: 'Write', due_at: '2026-03-03T15:00:00' });
    const tasks = await all();
    expect(tasks.map(({ description }) => description)).toEqual(['Call', 'Write', 'Call']);
    expect(tasks[1]).toMatchObject({ due_at: '2026-03-03T15:00:00', recurrence_rule: 'FREQ=DAILY;COUNT=3' });
    expect(new Set(tasks.map(({ scheduled_event_id }) => scheduled_event_id)).size).toBe(1);
  });

  it.each([{ recurrence_rule: 'FREQ=WEEKLY' }, { recurrence_rule: null }, { recurrence_rule: undefined }])(
    'separates it from its series with another rule: %o',
    async (change) => {
      const { all, at, put } = await series('FREQ=DAILY;COUNT=3');
      await put(await at(1), { ...change, update_type: 1 });
      const [before, alone, after] = await all();
      expect(alone).toMatchObject({ recurrence_rule: null, event: { type: 'single' } });
      expect(before?.scheduled_event_id).toBe(after?.scheduled_event_id);
      expect(alone?.scheduled_event_id).not.toBe(before?.scheduled_event_id);
      expect(before?.recurrence_rule).toBe('FREQ=DAILY;COUNT=3');
    },
  );

  it('of the status ignores everything else', async () => {
    const { all, api, first } = await series('FREQ=DAILY;COUNT=2');
    // As a client sends back a task of version 2.0 without assignee and due time, with the other values as its form converts
    // them.
    const ignored = {
      assigned_user_id: null,
      due_at: '',
      description: 5,
      reminder_type: 9,
      contact_id: 999_999,
    };
    const sent = { id: first.id, update_type: '3', status: 'complete', ...ignored } as object;
    await api.scheduledTasks.patch(sent as Parameters<typeof api.scheduledTasks.patch>[0]);
    expect(await all()).toMatchObject([
      { status: 'complete', description: 'Call', recurrence_rule: 'FREQ=DAILY;COUNT=2' },
      { status: 'incomplete' },
    ]);
  });

  it('requires every required value, and sets every other to its default', async () => {
    const { api, first, anna } = await series('FREQ=DAILY;COUNT=2', { notes: 'n', is_all_day: true });
    await expect(api.scheduledTasks.patch({ id: first.id, notes: 'x' })).rejects.toMatchObject({
      name: 'BadRequest',
      errors: {
        assigned_user_id: 'is required',
        due_at: 'is required',
        description: 'is required',
        status: 'is required',
      },
    });
    const changed = await api.scheduledTasks.patch({
      id: first.id,
      assigned_user_id: anna.id,
      due_at: '2026-03-02T09:00:00',
      description: 'Call',
      status: 'incomplete',
    });
    expect(changed).toMatchObject({
      notes: null,
      is_all_day: false,
      notify_assignee: false,
      reminder_type: 0,
      category_id: null,
      contact_id: null,
      recurrence_rule: null,
    });
  });
});

describe('a change of an occurrence and the following ones', () => {
  it('splits the series, and COUNT continues', async () => {
    const { all, at, put } = await series('FREQ=DAILY;COUNT=5');
    const third = await at(2);
    await put(third, { description: 'Write', due_at: '2026-03-04T15:30:00', update_type: 2 });
    const tasks = await all();
    expect(tasks.map(({ due_at }) => due_at?.slice(5, 16))).toEqual([
      '03-02T09:00',
      '03-03T09:00',
      '03-04T15:30',
      '03-05T15:30',
      '03-06T15:30',
    ]);
    expect(tasks.map(({ recurrence_rule }) => recurrence_rule)).toEqual([
      'FREQ=DAILY;UNTIL=20260304T085959',
      'FREQ=DAILY;UNTIL=20260304T085959',
      ...Array(3).fill('FREQ=DAILY;COUNT=3'),
    ]);
    expect(tasks[2]?.id).toBe(third.id);
  });

  it('can be repeated, and applies to the current series of the task', async () => {
    const { days, at, put, api } = await series('FREQ=DAILY;COUNT=6');
    await put(await at(2), { description: 'b', update_type: 2 });
    await put(await at(4), { description: 'c', update_type: 2 });
    expect(await days()).toEqual(['03-02', '03-03', '03-04', '03-05', '03-06', '03-07']);
    await api.scheduledTasks.remove({ id: (await at(2)).id, delete_type: 3 });
    expect(await days()).toEqual(['03-02', '03-03', '03-06', '03-07']);
  });

  it('with another rule starts that rule on its own day', async () => {
    const { days, at, put } = await series('FREQ=DAILY;COUNT=5');
    await put(await at(2), { recurrence_rule: 'FREQ=WEEKLY;COUNT=2', update_type: 2 });
    expect(await days()).toEqual(['03-02', '03-03', '03-04', '03-11']);
  });

  it('without a rule ends the series', async () => {
    const { days, at, put } = await series('FREQ=DAILY;COUNT=5');
    const alone = await put(await at(2), { recurrence_rule: null, update_type: 2 });
    expect(alone).toMatchObject({ event: { type: 'single' }, recurrence_rule: null });
    expect(await days()).toEqual(['03-02', '03-03', '03-04']);
  });

  it('does not affect removed or closed occurrences', async () => {
    const { all, at, put, api } = await series('FREQ=DAILY;COUNT=5');
    await api.scheduledTasks.patch({ id: (await at(3)).id, update_type: 3, status: 'complete' });
    await api.scheduledTasks.remove({ id: (await at(2)).id });
    await put(await at(1), { description: 'Write', due_at: '2026-03-03T10:00:00', update_type: 2 });
    expect(
      (await all()).map(({ due_at, description, status }) => [due_at?.slice(5, 13), description, status]),
    ).toEqual([
      ['03-02T09', 'Call', 'incomplete'],
      ['03-03T10', 'Write', 'incomplete'],
      ['03-05T09', 'Call', 'complete'],
      ['03-06T10', 'Write', 'incomplete'],
    ]);
  });

  it('is refused when its rule never occurs, and nothing is changed', async () => {
    const { all, at, put } = await series('FREQ=DAILY;UNTIL=20260306');
    const before = await all();
    const late = {
      due_at: '2027-01-01T09:00:00',
      recurrence_rule: 'FREQ=DAILY;UNTIL=20260305',
      update_type: 2,
    };
    await expect(put(await at(1), late)).rejects.toMatchObject({
      errors: { recurrence_rule: expect.any(String) },
    });
    expect(await all()).toEqual(before);
  });
});

describe('the removal', () => {
  it.each([
    [undefined, ['03-02', '03-03', '03-05']],
    [1, ['03-02', '03-03', '03-05']],
    [2, ['03-02', '03-03']],
    [3, []],
  ])('of an occurrence with delete_type %s leaves the right ones', async (delete_type, left) => {
    const { days, at, api } = await series('FREQ=DAILY;COUNT=4');
    await api.scheduledTasks.remove({ id: (await at(2)).id, ...(delete_type && { delete_type }) });
    expect(await days()).toEqual(left);
  });

  it('of the following ones is permanent', async () => {
    const { days, at, api } = await series('FREQ=MONTHLY');
    await api.scheduledTasks.remove({ id: (await at(2)).id, delete_type: 2 });
    await extendSeries({ ...scheduling.workerContext, clock: () => new Date('2029-01-01T00:00:00Z') });
    expect(await days()).toEqual(['03-02', '04-02']);
  });
});

describe('a task without an end', () => {
  it('is created for two years ahead, and further as time passes', async () => {
    const { all } = await series('FREQ=MONTHLY');
    expect((await all()).at(-1)?.due_at).toBe('2028-02-02T09:00:00');
    await extendSeries({ ...scheduling.workerContext, clock: () => new Date('2026-06-01T00:00:00Z') });
    expect((await all()).at(-1)?.due_at).toBe('2028-05-02T09:00:00');
    await extendSeries({ ...scheduling.workerContext, clock: () => new Date('2026-06-01T00:00:00Z') });
    expect(new Set((await all()).map(({ due_at }) => due_at)).size).toBe(27);
  });

  it('has at most five hundred open occurrences, and gets more as they are done', async () => {
    const { all, api, first } = await series('FREQ=DAILY');
    expect(await all()).toHaveLength(500);
    await extendSeries({ ...scheduling.workerContext, clock: () => new Date('2026-03-04T00:00:00Z') });
    expect(await all()).toHaveLength(500);
    await api.scheduledTasks.patch({ id: first.id, update_type: 3, status: 'complete' });
    await extendSeries({ ...scheduling.workerContext, clock: () => new Date('2026-03-06T00:00:00Z') });
    expect(await all()).toHaveLength(501);
  });

  it('has its first occurrence, however far ahead that is', async () => {
    const { first } = await series('FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29', { due_at: '2028-03-01T09:00:00' });
    expect(first.due_at).toBe('2032-02-29T09:00:00');
  });
});
