import { someone, teammateOf } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { schedulingUnderTest } from '../../test/harness.ts';

const scheduling = await schedulingUnderTest({ clock: () => new Date('2026-03-02T12:00:00Z') });
afterAll(scheduling.close);

/** A recurring task of Anna, with occurrences from 2 to 6 March, some of them assigned to Ben. */
async function sharedSeries(rule: string, isBens: (index: number) => boolean) {
  const ben = teammateOf();
  const anna = teammateOf(ben);
  const { scheduledTasks } = scheduling.as({ ...anna, timezone: 'America/New_York' });
  const everythingIsBens = [0, 1, 2, 3, 4].every(isBens);
  await scheduledTasks.create({
    assigned_user_id: everythingIsBens ? ben.id : anna.id,
    due_at: '2026-03-02T09:00:00',
    description: 'Call',
    status: 'incomplete',
    recurrence_rule: rule,
  });
  const all = async () => (await scheduledTasks.find({ $limit: 5, $sort: { due_at: 1 } })).data;
  for (const [index, task] of (await all()).entries()) {
    if (isBens(index) !== (task.assigned_user_id === ben.id))
      await scheduledTasks.patch({ ...sentBack(task), assigned_user_id: isBens(index) ? ben.id : anna.id });
  }
  const bens = scheduling.as({ ...ben, timezone: 'America/New_York', teammate_ids: [anna.id] });
  const named = (await all())[1];
  if (!named) throw new Error('The series has no second occurrence.');
  const change = (changes: object) =>
    bens.scheduledTasks.patch({ ...sentBack(named), description: 'By Ben', update_type: 2, ...changes });
  return { anna, ben, all, change, id: named.id, annas: scheduledTasks, bens: bens.scheduledTasks };
}

interface Task {
  readonly id: number;
  readonly assigned_user_id: number | null;
  readonly due_at: string | null;
  readonly description: string;
  readonly status: 'incomplete' | 'complete' | 'deleted';
  readonly recurrence_rule: string | null;
}

/** A task as a client sends it back. */
function sentBack({ assigned_user_id, due_at, ...task }: Task) {
  return { ...task, assigned_user_id: assigned_user_id ?? 0, due_at: due_at ?? '' };
}

const daily = 'FREQ=DAILY;COUNT=5';

it('the owner of a task changes it and the following ones, whoever their assignees are', async () => {
  const { anna, all, annas } = await sharedSeries(daily, (index) => index > 1);
  const [, second] = await all();
  if (!second) throw new Error('The series has no second occurrence.');
  await annas.patch({ ...sentBack(second), description: 'By Anna', update_type: 2 });
  const following = Array.from({ length: 4 }, () => ({ description: 'By Anna', assigned_user_id: anna.id }));
  expect(await all()).toMatchObject([{ description: 'Call' }, ...following]);
});

describe('an assignee who changes a task and the following ones', () => {
  it.each([
    ['the rule', {}],
    ['no rule', { recurrence_rule: null }],
    ['one occurrence', { recurrence_rule: 'FREQ=DAILY;COUNT=1' }],
    ['an end today', { recurrence_rule: 'FREQ=DAILY;UNTIL=20260303T235959' }],
    ['another rule', { recurrence_rule: 'FREQ=WEEKLY;COUNT=5' }],
  ])('cannot affect any that are assigned to others, with %s', async (_, changes) => {
    const { all, change, bens, id } = await sharedSeries(daily, (index) => index === 1);
    const before = await all();
    expect((await bens.find({})).data.map((task) => task.id)).toEqual([id]);
    await expect(change(changes)).rejects.toMatchObject({ name: 'Forbidden' });
    expect(await all()).toEqual(before);
  });

  it('cannot affect them if the owner has taken back one of the following ones', async () => {
    const { all, change } = await sharedSeries(daily, (index) => index !== 3);
    const before = await all();
    await expect(change({})).rejects.toMatchObject({ name: 'Forbidden' });
    expect(await all()).toEqual(before);
  });

  it('cannot assign future occurrences to another user', async () => {
    const { annas, all, change, ben } = await sharedSeries('FREQ=YEARLY', () => false);
    for (const task of await all()) await annas.patch({ ...sentBack(task), assigned_user_id: ben.id });
    const before = await all();
    await expect(change({})).rejects.toMatchObject({ name: 'Forbidden' });
    expect(await all()).toEqual(before);
  });

  it.each([
    ['without a rule', daily, { recurrence_rule: null }],
    ['with a shorter rule', daily, { recurrence_rule: 'FREQ=DAILY;COUNT=2' }],
    ['with a rule that occurs less often', 'FREQ=DAILY', { recurrence_rule: 'FREQ=MONTHLY' }],
  ])('cannot remove any, even if all are assigned to the user: %s', async (_, rule, changes) => {
    const { all, change } = await sharedSeries(rule, () => true);
    const before = await all();
    await expect(change(changes)).rejects.toMatchObject({ name: 'Forbidden' });
    expect(await all()).toEqual(before);
  });

  it.each([daily, 'FREQ=DAILY', 'FREQ=DAILY;UNTIL=20260306T090000'])(
    'changes them if all are assigned to the user: %s',
    async (rule) => {
      const { all, change } = await sharedSeries(rule, () => true);
      await change({ due_at: '2026-03-03T15:00:00' });
      expect((await all()).map(({ description, due_at }) => [description, due_at?.slice(5, 13)])).toEqual([
        ['Call', '03-02T09'],
        ['By Ben', '03-03T15'],
        ['By Ben', '03-04T15'],
        ['By Ben', '03-05T15'],
        ['By Ben', '03-06T15'],
      ]);
    },
  );

  it('changes the words of one that was moved, and thereby removes and moves none', async () => {
    const { all, change } = await sharedSeries('FREQ=DAILY;UNTIL=20260306T090000', () => true);
    await change({ due_at: '2026-03-04T15:00:00', description: 'Call', update_type: 1 });
    const before = await all();
    await change({ due_at: '2026-03-04T15:00:00' });
    const times = (tasks: typeof before) => tasks.map(({ id, due_at }) => [id, due_at]);
    expect(times(await all())).toEqual(times(before));
    expect((await all()).filter(({ description }) => description === 'By Ben')).toHaveLength(4);
  });

  it('may no longer have earlier ones, nor closed following ones', async () => {
    const { annas, all, change, anna } = await sharedSeries(daily, (index) => index > 0);
    const closed = (await all())[3];
    if (!closed) throw new Error('The series has no fourth occurrence.');
    await annas.patch({ ...sentBack(closed), assigned_user_id: anna.id, status: 'complete' });
    await change({});
    const descriptions = (await all()).map(({ description }) => description);
    expect(descriptions).toEqual(['Call', 'By Ben', 'By Ben', 'Call', 'By Ben']);
  });
});

describe('the owner', () => {
  it('changes the following ones, whoever is assigned to them, and may end them', async () => {
    const { annas, all, id } = await sharedSeries(daily, (index) => index > 1);
    const named = (await all())[1];
    if (!named) throw new Error('The series has no second occurrence.');
    await annas.patch({ ...sentBack(named), recurrence_rule: null, update_type: 2 });
    expect((await all()).map((task) => task.id).at(-1)).toBe(id);
    expect(await all()).toHaveLength(2);
  });
});

it('an assignee of a single task can send update_type 2 as well', async () => {
  const ben = someone();
  const anna = teammateOf(ben);
  const { id } = await scheduling.as(anna).scheduledTasks.create({
    assigned_user_id: ben.id,
    due_at: '2026-03-02T09:00:00',
    description: 'Call',
    status: 'incomplete',
  });
  const task = await scheduling.as(ben).scheduledTasks.get({ id });
  const change = { ...sentBack(task), description: 'Write', update_type: 2 };
  expect(await scheduling.as(ben).scheduledTasks.patch(change)).toMatchObject({ description: 'Write' });
});
