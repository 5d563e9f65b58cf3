import { taskCreated } from '@crm/events';
import { type Context, causeNow, publish, type TransactionContext } from '@crm/service';
import type { ActionType } from '../action-type.api.ts';
import { noteAssignment } from '../task-alerts/note-assignment.ts';
import type { Due } from './due.ts';
import { Task } from './task.entity.ts';
import { taskEventData } from './task-event-data.ts';
import { TaskSeries } from './task-series.entity.ts';

/** The values of a task that a caller sends, in either version of the API. */
export interface TaskFields {
  readonly assigned_user_id: number | null;
  readonly contact_id: number | null;
  readonly action_type: ActionType;
  readonly description: string;
  readonly notes: string | null;
  readonly is_all_day: boolean;
  readonly notify_assignee: boolean;
  readonly category_id: number | null;
}

/** The owner of tasks, and their origin: a user, or a campaign for one of its contacts. */
export type Origin = Pick<TaskSeries, 'crm_user_id' | 'action' | 'campaign_contact_id'>;

/** Adds a single task with its scheduled event. */
export async function addTask(
  ctx: Context,
  fields: TaskFields,
  due: Due,
  status: Task['status'],
): Promise<Task> {
  const origin = { crm_user_id: ctx.user.id, action: 'tasks', campaign_contact_id: null } as const;
  const scheduledEvent = await addScheduledEvent(ctx, origin, due.due_at);
  const task = newTask(ctx, scheduledEvent, fields, due);
  task.moveTo(status, ctx.user.id, ctx.now());
  await ctx.em.flush();
  publish(ctx, taskCreated, task, taskEventData(task));
  await noteAssignment(ctx, task);
  return task;
}

/** Adds the scheduled event of a single task. */
export async function addScheduledEvent(
  ctx: TransactionContext,
  origin: Origin,
  single_due_at: Date | null,
): Promise<TaskSeries> {
  const scheduledEvent = newScheduledEvent(ctx, origin, single_due_at);
  await ctx.em.flush();
  return scheduledEvent;
}

/** Like `addScheduledEvent`, but the caller flushes. */
export function newScheduledEvent(
  { em, now }: TransactionContext,
  { crm_user_id, action, campaign_contact_id }: Origin,
  single_due_at: Date | null,
): TaskSeries {
  const origin = { crm_user_id, action, campaign_contact_id: campaign_contact_id ?? null };
  const stamps = { created_at: now(), updated_at: now() };
  return em.create(TaskSeries, { ...origin, type: 'single', single_due_at, ...stamps });
}

/** The open task of a scheduled event that was flushed. The caller flushes the task. */
export function newTask(
  { em, now, requestId }: TransactionContext,
  scheduledEvent: TaskSeries,
  fields: TaskFields,
  due: Due,
): Task {
  return em.create(Task, {
    ...fields,
    ...due,
    scheduled_event_id: scheduledEvent.id,
    occurrence_index: 0,
    owner_user_id: scheduledEvent.crm_user_id,
    campaign_contact_id: scheduledEvent.campaign_contact_id ?? null,
    status: 'incomplete',
    created_at: now(),
    modified_at: now(),
    cause: causeNow({ requestId }),
  });
}
