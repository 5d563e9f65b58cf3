import type { Query } from '@crm/data';
import type { ActionType } from '../tasks/action-type.api.ts';
import type { Channel } from './channel.ts';

/** Who is reminded later than this is not reminded any more. */
export const tooLate = "interval '12 hours'";

export const missed = 'It was missed while the system was away.';

/** A task whose time has come, or comes within a day if it is for a whole day, and that nobody was reminded of yet. */
export interface Remindable {
  readonly id: number;
  readonly due_at: string;
  readonly due_local: string;
  readonly timezone: string;
  readonly is_all_day: boolean;
  readonly action_type: ActionType;
  readonly assigned_user_id: number;
}

/** Some of them, held until the transaction ends; those that others hold are left to them. */
export async function holdRemindable(query: Query): Promise<Remindable[]> {
  const rows = await query(
    `select id, due_at, due_local, timezone, is_all_day, action_type, assigned_user_id from tasks
     where status = 'incomplete' and notify_assignee and assigned_user_id is not null
       and reminded_of is distinct from due_at
       and ((not is_all_day and due_at <= now()) or (is_all_day and due_at <= now() + interval '1 day'))
     order by due_at limit 500 for update skip locked`,
    [],
  );
  return rows as unknown as Remindable[];
}

export interface Reminder {
  readonly task_id: number;
  readonly of_due_at: string;
  readonly user_id: number;
  readonly channel: Channel;
  readonly due_at: string;
}

/** Adds reminders, each once for one time of its task. Those that were missed are only noted. */
export async function addReminders(query: Query, reminders: readonly Reminder[]): Promise<void> {
  await query(
    `insert into task_alerts (task_id, kind, channel, user_id, of_due_at, due_at, next_attempt_at, state, reason)
     select r.task_id, 'Reminder', r.channel, r.user_id, r.of_due_at, r.due_at, r.due_at,
       case when r.due_at < now() - ${tooLate} then 'Dropped' else 'Waiting' end,
       case when r.due_at < now() - ${tooLate} then $2::text end
     from jsonb_to_recordset($1::jsonb)
       r (task_id integer, channel text, user_id integer, of_due_at timestamptz, due_at timestamptz)
     on conflict do nothing`,
    [JSON.stringify(reminders), missed],
  );
}

/** Notes of tasks that their time was seen to. A task that gets another time is looked at again. */
export async function noteReminded(query: Query, ids: readonly number[]): Promise<void> {
  await query('update tasks set reminded_of = due_at where id = any($1::int[])', [ids]);
}
