import type { User } from '@crm/auth';
import { contactRemoved } from '@crm/events';
import { someone, teammateOf } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { schedulingUnderTest } from '../../test/harness.ts';

const scheduling = await schedulingUnderTest();
afterAll(scheduling.close);

const draft = { action_type: 'Call Contact', description: 'Call Bill', status: 'incomplete' } as const;
const in21 = (user: User, more: object = {}) => ({
  assigned_user_id: user.id,
  due_at: '2026-03-02T09:00:00',
  description: 'Call Bill',
  status: 'incomplete' as const,
  ...more,
});

const newYorker = () => ({ ...someone(), timezone: 'America/New_York' });

describe('a task', () => {
  it('of version 2.0 has all fields', async () => {
    const anna = newYorker();
    const { tasks } = scheduling.as(anna);
    const task = await tasks.create({ ...draft, due_at: '2026-07-02 09:00:00' });
    expect(task).toEqual({
      ...draft,
      id: expect.any(Number),
      owner_user_id: anna.id,
      contact_id: null,
      reminder_type: 'Call Contact',
      assigned_user_id: null,
      due_at: '2026-07-02 09:00:00',
      due_at_utc: '2026-07-02T13:00:00.000Z',
      timezone: 'America/New_York',
      notes: null,
      created_at: expect.any(String),
      modified_at: expect.any(String),
      campaign_contact_id: null,
      completed_at: null,
      completing_user_id: null,
      is_all_day: false,
      is_important: false,
      due_end_at: null,
      is_public: false,
      category: null,
      folder: null,
      alert_state: null,
      alert_reason: null,
    });
  });

  it('created in one version is seen in both', async () => {
    const anna = newYorker();
    const { tasks, scheduledTasks } = scheduling.as(anna);
    const older = await tasks.create({ ...draft, due_at: '2026-07-02 09:00:00' });
    expect(await scheduledTasks.get({ id: older.id })).toMatchObject({
      crm_user_id: anna.id,
      owner_user_id: anna.id,
      due_at: '2026-07-02T09:00:00',
      reminder_type: 2,
      recurrence_rule: null,
      event: { type: 'single', action: 'tasks', single_due_at: '2026-07-02T13:00:00.000Z' },
    });
    const newer = await scheduledTasks.create(in21(anna, { reminder_type: 3 }));
    expect(await tasks.get({ id: newer.id })).toMatchObject({
      action_type: 'Text Contact',
      due_at: '2026-03-02 09:00:00',
    });
  });

  it('keeps its type in 2.0 when 2.1 sends back the number of that type', async () => {
    const anna = newYorker();
    const { tasks, scheduledTasks } = scheduling.as(anna);
    const { id } = await tasks.create({ ...draft, action_type: 'Direct Mail: Letter' });
    expect((await scheduledTasks.patch({ id, ...in21(anna) })).reminder_type).toBe(0);
    expect((await tasks.get({ id })).action_type).toBe('Direct Mail: Letter');
    await scheduledTasks.patch({ id, ...in21(anna, { reminder_type: 1 }) });
    expect((await tasks.get({ id })).action_type).toBe('Email Contact');
  });

  it('accepts reminder_type instead of action_type, and requires one of them', async () => {
    const { tasks } = scheduling.as(someone());
    const { action_type: _, ...rest } = draft;
    expect(await tasks.create({ ...rest, reminder_type: 'None' })).toMatchObject({
      action_type: 'None',
      reminder_type: 'None',
    });
    await expect(tasks.create(rest)).rejects.toMatchObject({ errors: { action_type: 'is required' } });
  });

  it('is completed by the user who sets that status, and by nobody when the status changes', async () => {
    const anna = someone();
    const { tasks } = scheduling.as(anna);
    const { id } = await tasks.create(draft);
    const none = { completed_at: null, completing_user_id: null };
    const some = { completed_at: expect.any(String), completing_user_id: anna.id };
    for (const [status, shown] of [
      ['complete', some],
      ['deleted', none],
      ['complete', some],
      ['incomplete', none],
    ] as const)
      expect(await tasks.patch({ id, status })).toMatchObject({ status, ...shown });
  });

  it('keeps its completing user when somebody else writes it back', async () => {
    const ben = someone();
    const { tasks } = scheduling.as(teammateOf(ben));
    const { id } = await tasks.create({ ...draft, assigned_user_id: ben.id });
    const { completed_at } = await scheduling.as(ben).tasks.patch({ id, status: 'complete' });
    const written = await tasks.patch({ id, status: 'complete', description: 'Call Ann' });
    expect(written).toMatchObject({ completed_at, completing_user_id: ben.id });
  });
});

describe('the time of a task', () => {
  it.each([
    ['2026-07-02 09:00', undefined, '2026-07-02 09:00:00', '2026-07-02T13:00:00.000Z'],
    ['2026-07-02T09:00:00Z', undefined, '2026-07-02 05:00:00', '2026-07-02T09:00:00.000Z'],
    ['2026-07-02T09:00:00+02:00', 'Europe/Berlin', '2026-07-02 09:00:00', '2026-07-02T07:00:00.000Z'],
    ['2026-07-02', 'Asia/Kolkata', '2026-07-02 00:00:00', '2026-07-01T18:30:00.000Z'],
    ['2026-03-08 02:30', undefined, '2026-03-08 03:30:00', '2026-03-08T07:30:00.000Z'],
  ])('sent as %s in %s is %s', async (due_at, timezone, shown, due_at_utc) => {
    const { tasks } = scheduling.as(newYorker());
    expect(await tasks.create({ ...draft, due_at, ...(timezone && { timezone }) })).toMatchObject({
      due_at: shown,
      due_at_utc,
      timezone: timezone ?? 'America/New_York',
    });
  });

  it('is filtered in the local time of the caller, or as a moment', async () => {
    const { tasks, scheduledTasks } = scheduling.as(newYorker());
    const { id } = await tasks.create({ ...draft, due_at: '2026-07-02 09:00:00' });
    await tasks.create({ ...draft, due_at: '2026-07-02 09:00:01' });
    const idsOf = ({ data }: { readonly data: readonly { readonly id: number }[] }) =>
      data.map((one) => one.id);
    expect(idsOf(await tasks.find({ due_at: '2026-07-02 09:00:00' }))).toEqual([id]);
    expect(idsOf(await tasks.find({ due_at: { $lte: '2026-07-02T13:00:00Z' } }))).toEqual([id]);
    expect(idsOf(await scheduledTasks.find({ $or: [{ due_at: '2026-07-02T15:00:00+02:00' }] }))).toEqual([
      id,
    ]);
    await expect(tasks.find({ due_at: { $like: '2026%' } })).rejects.toMatchObject({ name: 'BadRequest' });
  });

  it('keeps the local time when only the zone is changed', async () => {
    const { tasks } = scheduling.as(newYorker());
    const { id } = await tasks.create({ ...draft, due_at: '2026-07-02 09:00:00' });
    expect(await tasks.patch({ id, timezone: 'Europe/London' })).toMatchObject({
      due_at: '2026-07-02 09:00:00',
      due_at_utc: '2026-07-02T08:00:00.000Z',
    });
    expect(await tasks.patch({ id, notes: 'n' })).toMatchObject({ timezone: 'Europe/London' });
  });
});

describe('rights to a task', () => {
  it('let owner and assignee see and change it, and only the owner remove it', async () => {
    const anna = someone();
    const bert = teammateOf(anna);
    const carl = someone();
    const given = await scheduling
      .as({ ...anna, teammate_ids: [bert.id] })
      .tasks.create({ ...draft, assigned_user_id: bert.id });
    const { id } = given;
    for (const version of ['tasks', 'scheduledTasks'] as const) {
      for (const user of [anna, bert]) {
        expect(await scheduling.as(user)[version].find({ id })).toMatchObject({ total: 1 });
        expect(await scheduling.as(user)[version].get({ id })).toMatchObject({ id });
        const complete = { id, status: 'complete', update_type: 3 } as const;
        expect(await scheduling.as(user)[version].patch(complete)).toMatchObject({ status: 'complete' });
      }
      await expect(scheduling.as(bert)[version].remove({ id })).rejects.toMatchObject({ name: 'Forbidden' });
      expect(await scheduling.as(carl)[version].find({})).toMatchObject({ total: 0 });
      for (const verb of ['get', 'patch', 'remove'] as const)
        await expect(scheduling.as(carl)[version][verb]({ id })).rejects.toMatchObject({ name: 'NotFound' });
    }
    expect(await scheduling.as(anna).tasks.remove({ id })).toMatchObject({ id });
    expect(await scheduling.rows('select from task_series where crm_user_id = $1', [anna.id])).toEqual([]);
  });

  it('are distinguished by the four documented filters', async () => {
    const anna = someone();
    const bert = teammateOf(anna);
    const annas = scheduling.as({ ...anna, teammate_ids: [bert.id] });
    const berts = scheduling.as({ ...bert, teammate_ids: [anna.id] });
    const own = await annas.tasks.create({ ...draft, assigned_user_id: anna.id });
    const delegated = await annas.tasks.create({ ...draft, assigned_user_id: bert.id });
    const received = await berts.tasks.create({ ...draft, assigned_user_id: anna.id });
    const me = anna.id;
    for (const version of ['tasks', 'scheduledTasks'] as const) {
      const ids = async (query: object) =>
        (await annas[version].find({ ...query, $sort: { id: 1 } })).data.map(({ id }) => id);
      expect(await ids({})).toEqual([own.id, delegated.id, received.id]);
      expect(await ids({ owner_user_id: { $ne: me }, assigned_user_id: me })).toEqual([received.id]);
      expect(await ids({ owner_user_id: me, assigned_user_id: { $ne: me } })).toEqual([delegated.id]);
      expect(await ids({ owner_user_id: me, assigned_user_id: me })).toEqual([own.id]);
    }
    expect(await annas.scheduledTasks.find({ crm_user_id: me, $sort: { crm_user_id: -1 } })).toMatchObject({
      total: 2,
    });
  });
});

describe('a reference of a task', () => {
  it('must be visible to the caller, with the same error whether it is hidden or missing', async () => {
    const anna = someone();
    const { id: foreign } = await scheduling.contacts.as(someone()).contacts.create({ first_name: 'Eve' });
    const theirs = await scheduling.as(someone()).taskCategories.create({ name: 'Theirs' });
    const { tasks, scheduledTasks } = scheduling.as(anna);
    for (const contact_id of [foreign, 999_999])
      await expect(tasks.create({ ...draft, contact_id })).rejects.toMatchObject({
        errors: { contact_id: `'${contact_id}' does not exist` },
      });
    for (const category_id of [theirs.id, 999_999])
      await expect(scheduledTasks.create(in21(anna, { category_id }))).rejects.toMatchObject({
        errors: { category_id: `'${category_id}' does not exist` },
      });
    await expect(tasks.create({ ...draft, assigned_user_id: someone().id })).rejects.toMatchObject({
      errors: { assigned_user_id: expect.stringContaining('is not a user of your teams') },
    });
    expect(await tasks.find({})).toMatchObject({ total: 0 });
  });

  it('may stay when the task is changed by a user who could not set it', async () => {
    const anna = someone();
    const bert = teammateOf(anna);
    const { id: contact_id } = await scheduling.contacts.as(anna).contacts.create({ first_name: 'Bill' });
    const task = await scheduling
      .as({ ...anna, teammate_ids: [bert.id] })
      .scheduledTasks.create(in21(bert, { contact_id }));
    const changed = { ...in21(bert, { contact_id }), id: task.id, description: 'Done soon' };
    expect(await scheduling.as(bert).scheduledTasks.patch(changed)).toMatchObject({
      contact_id,
      description: 'Done soon',
    });
  });

  it('is cleared when the contact is removed, including from future occurrences', async () => {
    const anna = someone();
    const { id: contact_id } = await scheduling.contacts.as(anna).contacts.create({ first_name: 'Bill' });
    const { scheduledTasks } = scheduling.as(anna);
    await scheduledTasks.create(in21(anna, { contact_id, recurrence_rule: 'FREQ=WEEKLY' }));
    await scheduling.deliver(contactRemoved, { contact_id, owner_user_id: anna.id, assigned_user_id: null });
    expect((await scheduledTasks.find({ contact_id })).total).toBe(0);
    expect((await scheduledTasks.find({})).total).toBeGreaterThan(50);
    expect(await scheduling.rows('select from task_series where contact_id = $1', [contact_id])).toEqual([]);
  });
});

describe('the list of tasks 2.1', () => {
  it('is filtered by reminder_types', async () => {
    const anna = someone();
    const { scheduledTasks } = scheduling.as(anna);
    for (const reminder_type of [0, 1, 3]) await scheduledTasks.create(in21(anna, { reminder_type }));
    const found = async (reminder_types: string | string[]) =>
      (await scheduledTasks.find({ reminder_types, $sort: { id: 1 } })).data.map(
        (task) => task.reminder_type,
      );
    expect(await found('1, 3')).toEqual([1, 3]);
    expect(await found('0')).toEqual([0]);
    expect(await found('')).toEqual([0, 1, 3]);
    expect(await found(['1', '0'])).toEqual([0, 1]);
    for (const unknown of ['1,x', '1,8', '-1'])
      await expect(found(unknown)).rejects.toMatchObject({
        name: 'BadRequest',
        errors: { reminder_types: 'must be a comma-delimited list of numbers from 0 to 7' },
      });
  });
});

describe('the removal of a category', () => {
  it('leaves its tasks without one; categories that everyone has cannot be changed', async () => {
    const anna = someone();
    const { scheduledTasks, taskCategories } = scheduling.as(anna);
    const defaults = (await taskCategories.find({ user_id: null as never })).data;
    expect(defaults.map(({ name }) => name)).toEqual([
      'Call',
      'Email',
      'Text',
      'Appointment',
      'Showing',
      'Other',
    ]);
    const { id } = defaults[0] ?? { id: 0 };
    await expect(taskCategories.patch({ id, name: 'x' })).rejects.toMatchObject({ name: 'Forbidden' });
    await expect(taskCategories.remove({ id })).rejects.toMatchObject({ name: 'Forbidden' });
    const own = await taskCategories.create({ name: 'Open house' });
    const task = await scheduledTasks.create(in21(anna, { category_id: own.id }));
    expect(task.category_id).toBe(own.id);
    await taskCategories.remove({ id: own.id });
    expect((await scheduledTasks.get({ id: task.id })).category_id).toBeNull();
    expect(await scheduledTasks.patch({ ...in21(anna), id: task.id, category_id: id })).toMatchObject({
      category_id: id,
    });
  });
});
