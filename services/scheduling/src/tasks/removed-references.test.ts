import { openTransaction, someone, teammateOf, untilWaiting } from '@crm/testing';
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { schedulingUnderTest } from '../../test/harness.ts';
import { extendSeries } from '../task-series/extend-series.ts';
import { clearRemovedReferences } from './clear-removed-references.ts';

const time = { now: new Date('2026-03-02T12:00:00Z') };
const scheduling = await schedulingUnderTest({ clock: () => time.now });
afterAll(scheduling.close);
beforeEach(() => clearRemovedReferences(scheduling.rows));

const draft = {
  due_at: '2026-03-02T09:00:00',
  description: 'Call Bill',
  status: 'incomplete' as const,
};

/** Seven tasks with a category, two of them in a series, one task with another category, and one without. */
async function world() {
  const anna = someone();
  const api = scheduling.as(anna);
  const create = (category_id: number | null, more: object = {}) =>
    api.scheduledTasks.create({ ...draft, assigned_user_id: anna.id, category_id, ...more });
  const { id } = await api.taskCategories.create({ name: 'A' });
  const { id: other } = await api.taskCategories.create({ name: 'B' });
  for (let i = 0; i < 5; i++) await create(id);
  const first = await create(id, { recurrence_rule: 'FREQ=WEEKLY;COUNT=2' });
  await create(other);
  await create(null);
  const { data } = await api.scheduledTasks.find({ category_id: id, $limit: 20 });
  return { anna, api, create, id, other, first, tasks: data };
}
type World = Awaited<ReturnType<typeof world>>;

/** What lists of tasks and their totals show of it. */
async function seen({ api, id, other }: World) {
  const total = async (find: object) => {
    const page = await api.scheduledTasks.find({ ...find, $limit: 20 });
    expect(page.data).toHaveLength(page.total);
    return page.total;
  };
  const sorted = await api.scheduledTasks.find({ $sort: { category_id: 1 }, $limit: 20 });
  return {
    it: await total({ category_id: id }),
    among: await total({ category_id: [id, other] }),
    amongMany: await total({ category_id: [id, other, 901, 902, 903, 904] }),
    none: await total({ category_id: null }),
    oneOrNone: await total({ category_id: [id, null] }),
    others: await total({ category_id: { $ne: id } }),
    notAmong: await total({ category_id: { $nin: [id, other] } }),
    some: await total({ category_id: { $ne: null } }),
    upTo: await total({ category_id: { $lte: id } }),
    either: await total({ $or: [{ category_id: id }, { description: 'nobody' }] }),
    sorted: sorted.data.map((task) => task.category_id),
  };
}
const withoutIt = (other: number) => ({
  it: 0,
  among: 1,
  amongMany: 1,
  none: 8,
  oneOrNone: 8,
  others: 9,
  notAmong: 8,
  some: 1,
  upTo: 0,
  either: 0,
  sorted: [other, ...Array.from({ length: 8 }, () => null)],
});

/** How many tasks and series have it. */
const having = async (id: number) => {
  const [tasks, series] = await Promise.all(
    ['tasks', 'task_series'].map((table) =>
      scheduling.rows(`select from ${table} where category_id = $1`, [id]),
    ),
  );
  return { tasks: tasks?.length, series: series?.length };
};

const stored = (id: number) => scheduling.rows('select id from task_categories where id = $1', [id]);

/** Every row of tasks and series, with its physical location and its last writer. */
const physicalRows = async () => [
  await scheduling.rows('select *, ctid::text, xmin::text from tasks order by id'),
  await scheduling.rows('select *, ctid::text, xmin::text from task_series order by id'),
];

describe('a task category that is removed', () => {
  it('is immediately on no task, though no task is written, not even one that somebody else is changing', async () => {
    const made = await world();
    expect(await seen(made)).toMatchObject({ it: 7, among: 8, amongMany: 8, none: 1, others: 2 });
    const before = await physicalRows();
    const lock = 'select from tasks where id = $1 for update';
    await using _ = await openTransaction(scheduling.database, lock, [made.tasks[3]?.id]);
    expect(await made.api.taskCategories.remove({ id: made.id })).toMatchObject({ id: made.id, name: 'A' });
    expect(await physicalRows()).toEqual(before);
    expect(await seen(made)).toEqual(withoutIt(made.other));
    for (const { id } of made.tasks)
      expect(await made.api.scheduledTasks.get({ id })).toMatchObject({ category_id: null });
  });

  it('no longer exists, and another with its name can be created', async () => {
    const { api, create, id } = await world();
    await api.taskCategories.remove({ id });
    const { get, remove, patch, find } = api.taskCategories;
    for (const asked of [() => get({ id }), () => remove({ id }), () => patch({ id, name: 'C' })])
      await expect(asked()).rejects.toMatchObject({ name: 'NotFound' });
    expect(await find({ id })).toMatchObject({ total: 0, data: [] });
    const again = await api.taskCategories.create({ name: 'A' });
    expect(again.id).not.toBe(id);
    expect(await api.scheduledTasks.find({ category_id: again.id })).toMatchObject({ total: 0 });
    expect(await create(again.id)).toMatchObject({ category_id: again.id });
  });

  it('cannot be given to tasks, not even to those that had it', async () => {
    const { anna, api, create, id, first } = await world();
    await api.taskCategories.remove({ id });
    const refused = { name: 'BadRequest', errors: { category_id: `'${id}' does not exist` } };
    await expect(create(id)).rejects.toMatchObject(refused);
    const sent = {
      ...draft,
      id: first.id,
      assigned_user_id: anna.id,
      recurrence_rule: first.recurrence_rule,
    };
    for (const update_type of [1, 2])
      await expect(api.scheduledTasks.patch({ ...sent, category_id: id, update_type })).rejects.toMatchObject(
        refused,
      );
    expect(await api.scheduledTasks.patch({ ...sent, category_id: null })).toMatchObject({
      category_id: null,
    });
  });

  it('stays on the tasks of an assignee who does not see it until it is removed', async () => {
    const anna = someone();
    const bert = teammateOf(anna);
    const { taskCategories, scheduledTasks } = scheduling.as({ ...anna, teammate_ids: [bert.id] });
    const category = await taskCategories.create({ name: 'A' });
    const task = { ...draft, assigned_user_id: bert.id, category_id: category.id };
    const { id } = await scheduledTasks.create(task);
    const put = () => scheduling.as(bert).scheduledTasks.patch({ id, ...task });
    expect(await put()).toMatchObject({ category_id: category.id });
    await taskCategories.remove({ id: category.id });
    await expect(put()).rejects.toMatchObject({ name: 'BadRequest' });
  });

  it('is cleared from tasks and series in portions, even if the worker is killed between them', async () => {
    const made = await world();
    await made.api.taskCategories.remove({ id: made.id });
    for (const tasks of [5, 3]) {
      let updates = 0;
      const killed: typeof scheduling.rows = async (text, values) => {
        if (text.startsWith('update tasks') && ++updates > 1) throw new Error('killed');
        return scheduling.rows(text, values);
      };
      await expect(clearRemovedReferences(killed, 2)).rejects.toThrow('killed');
      expect(await having(made.id)).toEqual({ tasks, series: 0 });
      expect(await seen(made)).toEqual(withoutIt(made.other));
    }
    await clearRemovedReferences(scheduling.rows, 2);
    expect(await having(made.id)).toEqual({ tasks: 0, series: 0 });
    expect(await stored(made.id)).toEqual([]);
    expect(await seen(made)).toEqual(withoutIt(made.other));
  });

  it.each(['tasks', 'task_series'])(
    'does not wait for one of %s that is being changed, and stays hidden',
    async (table) => {
      const made = await world();
      await made.api.taskCategories.remove({ id: made.id });
      const lock = `select from ${table} where category_id = $1 order by id desc limit 1 for update`;
      await using held = await openTransaction(scheduling.database, lock, [made.id]);
      await clearRemovedReferences(scheduling.rows, 2);
      expect(await having(made.id)).toEqual({
        tasks: 0,
        series: 0,
        [table === 'tasks' ? 'tasks' : 'series']: 1,
      });
      expect(await seen(made)).toEqual(withoutIt(made.other));
      await held.rollback();
      await clearRemovedReferences(scheduling.rows, 2);
      expect(await stored(made.id)).toEqual([]);
    },
  );

  it('waits for a task that gets it at the same moment, and is cleared from it too', async () => {
    const { api, create, id } = await world();
    const holder = await scheduling.database.pool.connect();
    onTestFinished(() => holder.release(true));
    await holder.query('begin; lock table tasks in share mode');
    const adding = create(id);
    await untilWaiting(scheduling.rows, [adding]);
    const removing = api.taskCategories.remove({ id });
    await untilWaiting(scheduling.rows, [adding, removing]);
    await holder.query('rollback');
    const [added] = await Promise.all([adding, removing]);
    expect((await api.scheduledTasks.get({ id: added.id })).category_id).toBeNull();
    await clearRemovedReferences(scheduling.rows);
    expect(await having(id)).toEqual({ tasks: 0, series: 0 });
  });

  it('is on no occurrence that its series creates later', async () => {
    const { api, create, id } = await world();
    await create(id, { recurrence_rule: 'FREQ=WEEKLY' });
    await api.taskCategories.remove({ id });
    const { total } = await api.scheduledTasks.find({ category_id: null });
    time.now = new Date('2026-06-01T12:00:00Z');
    await extendSeries(scheduling.workerContext);
    const extended = await api.scheduledTasks.find({ category_id: null });
    expect(extended.total).toBeGreaterThan(total);
    expect(await api.scheduledTasks.find({ category_id: id })).toMatchObject({ total: 0 });
    await clearRemovedReferences(scheduling.rows);
    expect(await stored(id)).toEqual([]);
    time.now = new Date('2026-09-01T12:00:00Z');
    await extendSeries(scheduling.workerContext);
    expect((await api.scheduledTasks.find({ category_id: null })).total).toBeGreaterThan(extended.total);
  });

  it('publishes its removal with the next version', async () => {
    const { api, id } = await world();
    await api.taskCategories.patch({ id, name: 'C' });
    await api.taskCategories.remove({ id });
    const events = (await scheduling.published()).filter(({ data }) => data.task_category_id === id);
    expect(events.map(({ type, aggregateversion }) => [type.split('.').at(-1), aggregateversion])).toEqual([
      ['created', 1],
      ['changed', 2],
      ['removed', 3],
    ]);
  });
});
