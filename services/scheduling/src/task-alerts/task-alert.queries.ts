import type { Query } from '@crm/data';
import { type Leased, lease, lostAnswer } from '@crm/dispatch';
import type { ActionType } from '../tasks/action-type.api.ts';
import type { Channel } from './channel.ts';
import { tooLate } from './reminder.queries.ts';

export async function addAssignment(
  query: Query,
  taskId: number,
  userId: number,
  channel: Channel,
): Promise<void> {
  await query(
    `insert into task_alerts (task_id, kind, channel, user_id, due_at, next_attempt_at)
     values ($1, 'Assignment', $2, $3, now(), now())`,
    [taskId, channel, userId],
  );
}

/** What an alert is made of, as it was when it was taken. */
export interface DueAlert extends Leased {
  readonly kind: 'Assignment' | 'Reminder';
  /** By which a provider knows the alert again. */
  readonly key: string;
  readonly channel: Channel;
  readonly seconds_late: number;
  /** Whom it was made for. */
  readonly user_id: number;
  readonly isMissed: boolean;
  /** Whether the task still has the time of which somebody is reminded. */
  readonly isOfThisTime: boolean;
  readonly task_id: number;
  readonly status: string;
  readonly notify_assignee: boolean;
  readonly assigned_user_id: number | null;
  readonly owner_user_id: number;
  readonly contact_id: number | null;
  readonly action_type: ActionType;
  readonly description: string;
  readonly notes: string | null;
  readonly due_local: string | null;
  readonly timezone: string;
  readonly is_all_day: boolean;
}

/** Takes alerts whose time has come, the longest due first, at most so many of each channel. Nobody else gets them before the lease ends. */
export async function leaseDue(
  query: Query,
  free: Readonly<Partial<Record<Channel, number>>>,
): Promise<DueAlert[]> {
  const rows = await query(
    `with due as (
       select alert.id
       from unnest($1::text[], $2::int[]) as lane (channel, free)
       cross join lateral (
         select a.id from task_alerts a
         where a.state = 'Waiting' and a.channel = lane.channel and a.next_attempt_at <= now()
         order by a.next_attempt_at, a.id
         limit lane.free
         for update skip locked
       ) alert
     ), taken as (
       update task_alerts a set
         state = 'Sending', lease_until = now() + ${lease}, attempts = attempts + 1, begun_at = null
       where a.id = any(array(select id from due))
       returning a.*
     )
     select taken.id, taken.attempts, taken.kind, taken.key, taken.channel, taken.user_id, taken.task_id,
       extract(epoch from now() - taken.due_at)::float8 as seconds_late,
       taken.kind = 'Reminder' and taken.due_at < now() - ${tooLate} as "isMissed",
       taken.kind = 'Assignment' or tasks.due_at is not distinct from taken.of_due_at as "isOfThisTime",
       tasks.status, tasks.notify_assignee, tasks.assigned_user_id, tasks.owner_user_id, tasks.contact_id,
       tasks.action_type, tasks.description, tasks.notes, tasks.due_local, tasks.timezone, tasks.is_all_day
     from taken join tasks on tasks.id = taken.task_id
     order by taken.due_at, taken.id`,
    [Object.keys(free), Object.values(free)],
  );
  return rows as unknown as DueAlert[];
}

/**
 * Says whether an alert may be handed over, at the last moment before it is: its task is still to be done, by this user
 * and at this time. The lease begins anew, so that nobody else sends it while a slow provider thinks.
 */
export async function beginSending(query: Query, { id, attempts }: Leased, userId: number): Promise<boolean> {
  const rows = await query(
    `update task_alerts a set begun_at = now(), lease_until = now() + ${lease}, user_id = $3::int
     from tasks t
     where a.id = $1::int and a.attempts = $2::int and a.state = 'Sending' and t.id = a.task_id
       and t.status = 'incomplete' and t.notify_assignee and t.assigned_user_id = $3::int
       and (a.kind = 'Assignment' or t.due_at = a.of_due_at)
     returning a.id`,
    [id, attempts, userId],
  );
  return rows.length > 0;
}

/** How an attempt ended. */
export interface DispatchOutcome {
  readonly state: 'Done' | 'Failed' | 'Dropped' | 'Waiting';
  readonly reason: string | null;
  /** Until the next attempt. */
  readonly seconds: number;
}

/** Notes how an attempt ended, unless somebody else holds the alert by now. */
export async function settle(
  query: Query,
  { id, attempts }: Leased,
  outcome: DispatchOutcome,
): Promise<void> {
  await query(
    `update task_alerts set
       state = $3::text, reason = left($4::text, 500), lease_until = null,
       handed_over_at = case when $3::text = 'Done' then now() end,
       next_attempt_at = case
         when $3::text = 'Waiting' then now() + make_interval(secs => $5::float8) else next_attempt_at
       end
     where id = $1::int and attempts = $2::int and state = 'Sending'`,
    [id, attempts, outcome.state, outcome.reason, outcome.seconds],
  );
}

/** Gives up the alerts of workers that are gone, as it is done with communications. */
export async function releaseAbandoned(query: Query, honoursKeys: boolean): Promise<void> {
  const isLost = "channel <> 'Email' and begun_at is not null and not $1::boolean";
  await query(
    `update task_alerts set
       state = case when ${isLost} then 'Failed' else 'Waiting' end,
       reason = case when ${isLost} then $2::text else reason end,
       lease_until = null
     where id in (
       select id from task_alerts where state = 'Sending' and lease_until < now()
       order by lease_until limit 500 for update skip locked
     )`,
    [honoursKeys, lostAnswer],
  );
}
