import type { Query } from '@crm/data';
import { type DispatchTable, DueRow, dueColumns, type FinalCheck, usualNames } from '@crm/dispatch';
import { causeText } from '@crm/service';
import { z } from 'zod';
import { actionType } from '../action-type.api.ts';
import { type Channel, channels } from './channel.ts';
import { maxReminderDelay } from './reminder.queries.ts';

interface Assignment {
  readonly task_id: number;
  readonly user_id: number;
  readonly channel: Channel;
  /** The delegation under which a broker has assigned the task. */
  readonly delegation_id: number | null;
}

export async function addAssignment(
  { query, requestId }: { readonly query: Query; readonly requestId: string },
  { task_id, user_id, channel, delegation_id }: Assignment,
): Promise<void> {
  await query(
    `insert into task_alerts (task_id, kind, channel, user_id, owner_user_id, delegation_id, due_at, next_attempt_at, cause)
     select id, 'Assignment', $2::text, $3::int, owner_user_id, $4::int, now(), now(), $5::jsonb from tasks where id = $1::int`,
    [task_id, channel, user_id, delegation_id, causeText({ requestId })],
  );
}

export const DueAlert = DueRow.extend({
  kind: z.enum(['Assignment', 'Reminder']),
  channel: z.enum(channels),
  /** The user for whom it was created. */
  user_id: z.int(),
  delegation_id: z.int().nullable(),
  isTooLate: z.boolean(),
  /** When the alert itself was due. */
  remind_at: z.string(),
  /** The due time that a reminder is for. */
  of_due_at: z.string().nullable(),
  task_id: z.int(),
  status: z.string(),
  notify_assignee: z.boolean(),
  assigned_user_id: z.int().nullable(),
  owner_user_id: z.int(),
  contact_id: z.int().nullable(),
  action_type: actionType,
  description: z.string(),
  notes: z.string().nullable(),
  due_at: z.string().nullable(),
  due_local: z.string().nullable(),
  timezone: z.string(),
  is_all_day: z.boolean(),
});

/** The data from which an alert is built, as of its lease. */
export type DueAlert = z.output<typeof DueAlert>;

export const taskAlertTable: DispatchTable = {
  ...usualNames,
  name: 'task_alerts',
  lane: 'channel',
  sharedBy: 'owner_user_id',
  onBegin: 'user_id = wanted.user_id',
  onSettle: "handed_over_at = case when outcome.state = 'Done' then now() end",
};

export const dueAlertSelect = `
  select ${dueColumns('due_at')}, leased.kind, leased.channel, leased.user_id, leased.delegation_id, leased.task_id,
    leased.kind = 'Reminder' and leased.due_at < now() - ${maxReminderDelay} as "isTooLate",
    leased.due_at as remind_at, leased.of_due_at,
    tasks.status, tasks.notify_assignee, tasks.assigned_user_id, tasks.owner_user_id, tasks.contact_id,
    tasks.action_type, tasks.description, tasks.notes, tasks.due_at, tasks.due_local, tasks.timezone, tasks.is_all_day
  from leased join tasks on tasks.id = leased.task_id
  order by leased.due_at, leased.id`;

/**
 * The task is still to be done, by this user and at this time, and is not about to be removed with a campaign. If its own state
 * has changed, the next attempt determines why.
 */
export const taskAlertCheck: FinalCheck = {
  joins: 'join tasks on tasks.id = t.task_id',
  obstacles: [
    {
      // Open tasks that are left after the removal are those that a user has reopened.
      when: `exists (
        select from enrolment_ends e
        where e.removed_at is null and (e.what, e.id) in (('campaign contact', tasks.campaign_contact_id), ('campaign', (
          select campaign_id from enrolments where enrolments.campaign_contact_id = tasks.campaign_contact_id
        )))
      )`,
      state: 'Dropped',
      reason: 'The campaign was stopped for this contact.',
    },
    {
      when: `(tasks.status = 'incomplete' and tasks.notify_assignee and tasks.assigned_user_id = wanted.user_id
        and (t.kind = 'Assignment' or tasks.due_at = t.of_due_at and tasks.reminded_of = tasks.due_at)) is not true`,
      state: 'Waiting',
      reason: 'The task was being changed.',
    },
  ],
};
