import { databaseBefore } from '@crm/testing';
import { expect, it } from 'vitest';
import { schedulingStore } from '../store.ts';

/** A task at three in the afternoon, with a reminder that the previous release created when it was an all-day task. */
const reminded = `with event as (
    insert into task_series (crm_user_id, action, type, created_at, updated_at)
    values (7, 'tasks', 'single', now(), now()) returning id
  ), task as (
    insert into tasks (scheduled_event_id, owner_user_id, assigned_user_id, action_type, description, status, due_at, due_local,
      timezone, is_all_day, notify_assignee, created_at, modified_at, reminded_of)
    select id, 7, 7, 'None', 'Call', 'incomplete', '2026-03-02T15:00:00Z', '2026-03-02T15:00:00', 'UTC', false, true, now(), now(),
      '2026-03-02T15:00:00Z' from event returning id, due_at
  ) insert into task_alerts (task_id, kind, channel, user_id, of_due_at, due_at, next_attempt_at, state)
    select id, 'Reminder', 'Email', 7, due_at, '2026-03-02T08:00:00Z', '2026-03-02T08:00:00Z', $1 from task
    returning task_id`;

it('a task for which the previous release would send only a morning reminder gets one when it is due', async () => {
  const { client, upgrade } = await databaseBefore(schedulingStore, '0302-reminders-anew');
  const add = async (state: string) => (await client.query(reminded, [state])).rows[0].task_id;
  const waiting = await add('Waiting');
  await add('Done');
  await upgrade();
  const { rows } = await client.query('select id from tasks where reminded_of is null');
  expect(rows).toEqual([{ id: waiting }]);
});
