import { isBeforeRestoration, type Query, queryRows, withheldReason } from '@crm/data';
import { z } from 'zod';
import { actionType } from '../action-type.api.ts';
import type { Channel } from './channel.ts';

/** A reminder that is later than this is no longer sent. */
export const maxReminderDelay = "interval '12 hours'";

export const tooLate = 'It was more than 12 hours late.';

const Remindable = z.object({
  id: z.int(),
  due_at: z.string(),
  due_local: z.string(),
  timezone: z.string(),
  is_all_day: z.boolean(),
  action_type: actionType,
  assigned_user_id: z.int(),
});

/** A due task, or an all-day task that is due within a day, without a reminder so far. */
export type Remindable = z.output<typeof Remindable>;

const unreminded = `status = 'incomplete' and notify_assignee and assigned_user_id is not null
  and reminded_of is distinct from due_at`;

/** Whether a task is due by a time. */
const isDueBy = (time: string) =>
  `((not is_all_day and due_at <= ${time}) or (is_all_day and due_at <= ${time} + interval '1 day'))`;

/** The due times of the tasks that are due within half a minute. */
export const soonRemindable = `
  select greatest(due_at - case when is_all_day then interval '1 day' else '0' end, postponed_until) as due_at
  from tasks where ${unreminded} and ${isDueBy("(now() + interval '30 seconds')")}`;

/** Some of these tasks, locked until the transaction ends. Tasks that another transaction has locked are skipped. */
export async function lockRemindable(query: Query): Promise<Remindable[]> {
  return queryRows(
    query,
    Remindable,
    `select id, due_at, due_local, timezone, is_all_day, action_type, assigned_user_id from tasks
     where ${unreminded} and coalesce(postponed_until, '-infinity') <= now() and ${isDueBy('now()')}
     order by due_at limit 500 for update skip locked`,
    [],
  );
}

export interface Reminder {
  readonly task_id: number;
  readonly of_due_at: string;
  readonly user_id: number;
  readonly channel: Channel;
  readonly due_at: string;
}

const isTooLate = `r.due_at < now() - ${maxReminderDelay}`;
const isWithheld = isBeforeRestoration('r.due_at');

/**
 * Adds reminders, one for each time at which a task with a due time is to be reminded of. Those that are too late are stored as
 * dropped, and those that may have been sent before a restore as failed. A dropped one that no attempt can have sent is replaced:
 * the task may be to be done again.
 */
export async function addReminders(query: Query, reminders: readonly Reminder[]): Promise<void> {
  await query(
    `delete from task_alerts a
     using jsonb_to_recordset($1::jsonb) r (task_id integer, of_due_at timestamptz, due_at timestamptz)
     where a.task_id = r.task_id and a.of_due_at = r.of_due_at and a.due_at = r.due_at and a.kind = 'Reminder'
       and a.state = 'Dropped' and a.begun_at is null`,
    [JSON.stringify(reminders)],
  );
  await query(
    `insert into task_alerts (task_id, kind, channel, user_id, owner_user_id, of_due_at, due_at, next_attempt_at, cause, state, reason)
     select r.task_id, 'Reminder', r.channel, r.user_id, t.owner_user_id, r.of_due_at, r.due_at, r.due_at, t.cause,
       case when ${isTooLate} then 'Dropped' when ${isWithheld} then 'Failed' else 'Waiting' end,
       case when ${isTooLate} then $2::text when ${isWithheld} then $3::text end
     from jsonb_to_recordset($1::jsonb)
       r (task_id integer, channel text, user_id integer, of_due_at timestamptz, due_at timestamptz)
     join tasks t on t.id = r.task_id
     on conflict do nothing`,
    [JSON.stringify(reminders), tooLate, withheldReason],
  );
}

/**
 * Records that the reminders of these tasks were created. A task is remindable again if it gets another due time. A trigger makes
 * it so if it becomes or stops being an all-day task, if it is to be done and notified of again, or if as an all-day task it gets
 * another zone or type.
 */
export async function noteReminded(query: Query, ids: readonly number[]): Promise<void> {
  await query('update tasks set reminded_of = due_at, problem = null where id = any($1::int[])', [ids]);
}
