import { type Query, queryRows } from '@crm/data';
import { type Leased, lease, lostAnswer } from '@crm/dispatch';
import { z } from 'zod';
import { actionType } from '../action-type.api.ts';
import { type Channel, channels } from './channel.ts';
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

const DueAlert = z.object({
  id: z.int(),
  attempts: z.int(),
  kind: z.enum(['Assignment', 'Reminder']),
  /** By which a provider recognises the alert when it is sent again. */
  key: z.string(),
  channel: z.enum(channels),
  seconds_late: z.number(),
  /** The user it was created for. */
  user_id: z.int(),
  isMissed: z.boolean(),
  /** Whether the task still has the due time that the reminder is for. */
  isOfThisTime: z.boolean(),
  task_id: z.int(),
  status: z.string(),
  notify_assignee: z.boolean(),
  assigned_user_id: z.int().nullable(),
  owner_user_id: z.int(),
  contact_id: z.int().nullable(),
  action_type: actionType,
  description: z.string(),
  notes: z.string().nullable(),
  due_local: z.string().nullable(),
  timezone: z.string(),
  is_all_day: z.boolean(),
});

/** What an alert is built from, as it was when it was leased. */
export type DueAlert = z.output<typeof DueAlert>;

/** Leases alerts that are due, the longest due first, within the limit of each channel. Until its lease ends, nobody else gets one. */
export async function leaseDue(
  query: Query,
  free: Readonly<Partial<Record<Channel, number>>>,
): Promise<DueAlert[]> {
  return queryRows(
    query,
    DueAlert,
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
     ), leased as (
       update task_alerts a set
         state = 'Sending', lease_until = now() + ${lease}, attempts = attempts + 1, begun_at = null
       where a.id = any(array(select id from due))
       returning a.*
     )
     select leased.id, leased.attempts, leased.kind, leased.key, leased.channel, leased.user_id, leased.task_id,
       extract(epoch from now() - leased.due_at)::float8 as seconds_late,
       leased.kind = 'Reminder' and leased.due_at < now() - ${tooLate} as "isMissed",
       leased.kind = 'Assignment' or tasks.due_at is not distinct from leased.of_due_at as "isOfThisTime",
       tasks.status, tasks.notify_assignee, tasks.assigned_user_id, tasks.owner_user_id, tasks.contact_id,
       tasks.action_type, tasks.description, tasks.notes, tasks.due_local, tasks.timezone, tasks.is_all_day
     from leased join tasks on tasks.id = leased.task_id
     order by leased.due_at, leased.id`,
    [Object.keys(free), Object.values(free)],
  );
}

/**
 * The final check: returns whether an alert may be sent, because its task is still to be done, by this user and at this
 * time. The lease starts again, so that nobody else sends it while a provider is slow.
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

/** The outcome of an attempt. */
export interface DispatchOutcome {
  readonly state: 'Done' | 'Failed' | 'Dropped' | 'Waiting';
  readonly reason: string | null;
  /** Until the next attempt. */
  readonly seconds: number;
}

/** Stores the outcome of an attempt, unless somebody else has leased the alert since. */
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

/** Releases the alerts whose lease has expired, by the same rules as communications. */
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
