import { afterAll, describe, expect, it } from 'vitest';
import { ago, taskAlertsUnderTest } from '../../test/task-alerts.ts';

const { under, turn, statesOf, reasonOf, pair, task } = await taskAlertsUnderTest();
afterAll(under.close);
const { service } = under;

describe('a new assignee of a task', () => {
  const tomorrow = () => ({ due_at: ago(-24) });

  it('is notified once, through the channel of the task, or by e-mail if it has none', async () => {
    const { anna, ben } = await pair();
    const id = await task(anna, { ...tomorrow(), assigned_user_id: ben.id, reminder_type: 3 });
    const plain = await task(anna, { ...tomorrow(), assigned_user_id: ben.id, reminder_type: 0 });
    await turn();
    await turn();
    expect(await statesOf(id)).toEqual([['Assignment', 'Text', ben.id, 'Done']]);
    expect(await statesOf(plain)).toEqual([['Assignment', 'Email', ben.id, 'Done']]);
  });

  it('is not notified of an assignment by a broker who may no longer act for the owner', async () => {
    const { anna, ben } = await pair();
    const id = await task(anna, { ...tomorrow(), assigned_user_id: ben.id });
    await service.rows('update task_alerts set delegation_id = 999999 where task_id = $1', [id]);
    await turn();
    expect(await statesOf(id)).toEqual([['Assignment', 'Email', ben.id, 'Dropped']]);
    expect(await reasonOf(id)).toContain('broker');
  });

  it('is notified when the task is assigned later, and not again when it is changed', async () => {
    const { anna, ben } = await pair();
    const id = await task(anna, tomorrow());
    expect(await statesOf(id)).toEqual([]);
    const values = {
      assigned_user_id: ben.id,
      ...tomorrow(),
      description: 'Call Bill',
      status: 'incomplete' as const,
    };
    const { scheduledTasks, tasks } = service.as(anna);
    await scheduledTasks.patch({ id, ...values, notify_assignee: true });
    await scheduledTasks.patch({ id, ...values, notify_assignee: true, notes: 'Soon' });
    await tasks.patch({ id, description: 'Call Bill again' });
    expect((await statesOf(id)).map(([kind, , user]) => [kind, user])).toEqual([['Assignment', ben.id]]);
  });

  it('is not notified of their own change, or if the task has no notification', async () => {
    const { anna, ben } = await pair();
    const own = await task(ben, tomorrow());
    const silent = await task(anna, { ...tomorrow(), assigned_user_id: ben.id, notify_assignee: false });
    expect([await statesOf(own), await statesOf(silent)]).toEqual([[], []]);
  });

  it('is notified of a recurring task once, by its first occurrence', async () => {
    const { anna, ben } = await pair();
    const id = await task(anna, {
      ...tomorrow(),
      assigned_user_id: ben.id,
      recurrence_rule: 'FREQ=DAILY;COUNT=5',
    });
    const [row] = await service.rows(
      `select count(*)::int from task_alerts a join tasks t on t.id = a.task_id
       where t.scheduled_event_id = (select scheduled_event_id from tasks where id = $1)`,
      [id],
    );
    expect([row?.count, await statesOf(id)]).toEqual([1, [['Assignment', 'Email', ben.id, 'Waiting']]]);
    await turn();
  });

  it('is not notified if the task has been assigned to somebody else again', async () => {
    const { anna, ben } = await pair();
    const id = await task(anna, { ...tomorrow(), assigned_user_id: ben.id });
    await service.as(anna).tasks.patch({ id, assigned_user_id: anna.id });
    await turn();
    expect(await statesOf(id)).toEqual([['Assignment', 'Email', ben.id, 'Dropped']]);
    expect(await reasonOf(id)).toBe('The task is no longer assigned to the user.');
  });
});
