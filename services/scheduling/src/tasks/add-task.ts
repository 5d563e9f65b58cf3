import { taskCreated } from '@crm/events';
import { type Context, publish } from '@crm/service';
import { noteAssignment } from '../task-alerts/note-assignment.ts';
import { TaskSeries } from '../task-series/task-series.entity.ts';
import type { TransactionContext } from '../transaction-context.ts';
import type { ActionType } from './action-type.api.ts';
import type { Due } from './due.ts';
import { Task } from './task.entity.ts';
import { taskEventData } from './task-event-data.ts';

/** What a caller says of a task, of either version. */
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

/** Whose tasks they are, and what made them: somebody, or a campaign for one of its contacts. */
export type Origin = Pick<TaskSeries, 'crm_user_id' | 'action' | 'campaign_contact_id'>;

/** Adds a task that stands alone, with an event of its own. */
export async function addTask(
  ctx: Context,
  fields: TaskFields,
  due: Due,
  status: Task['status'],
): Promise<Task> {
  const origin = { crm_user_id: ctx.user.id, action: 'tasks', campaign_contact_id: null } as const;
  const event = await addEvent(ctx, origin, due.due_at);
  const task = newTask(ctx, event, fields, due);
  task.moveTo(status, ctx.user.id, ctx.now());
  await ctx.em.flush();
  publish(ctx, taskCreated, task, taskEventData(task));
  await noteAssignment(ctx, task);
  return task;
}

/** Adds the event of a task that stands alone. */
export async function addEvent(
  ctx: TransactionContext,
  origin: Origin,
  single_due_at: Date | null,
): Promise<TaskSeries> {
  const event = newEvent(ctx, origin, single_due_at);
  await ctx.em.flush();
  return event;
}

/** The event of a task that stands alone, which the next flush writes. */
export function newEvent(
  { em, now }: TransactionContext,
  { crm_user_id, action, campaign_contact_id }: Origin,
  single_due_at: Date | null,
): TaskSeries {
  const origin = { crm_user_id, action, campaign_contact_id: campaign_contact_id ?? null };
  const stamps = { created_at: now(), updated_at: now() };
  return em.create(TaskSeries, { ...origin, type: 'single', single_due_at, ...stamps });
}

/** The open task of an event that is written already, which the next flush writes. */
export function newTask(
  { em, now }: TransactionContext,
  event: TaskSeries,
  fields: TaskFields,
  due: Due,
): Task {
  return em.create(Task, {
    ...fields,
    ...due,
    scheduled_event_id: event.id,
    occurrence_index: 0,
    owner_user_id: event.crm_user_id,
    campaign_contact_id: event.campaign_contact_id ?? null,
    status: 'incomplete',
    created_at: now(),
    modified_at: now(),
  });
}
