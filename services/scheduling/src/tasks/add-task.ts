import { taskCreated } from '@crm/events';
import { type Context, publish } from '@crm/service';
import { noteAssignment } from '../task-alerts/note-assignment.ts';
import { TaskSeries } from '../task-series/task-series.entity.ts';
import type { ActionType } from './action-type.api.ts';
import type { Due } from './due.ts';
import { Task } from './task.entity.ts';
import { factOfTask } from './task-fact.ts';

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

/** Adds a task that stands alone, with an event of its own. */
export async function addTask(
  ctx: Context,
  fields: TaskFields,
  due: Due,
  status: Task['status'],
): Promise<Task> {
  const now = ctx.now();
  const event = await addEvent(ctx, ctx.user.id, due.due_at);
  const task = ctx.em.create(Task, {
    ...fields,
    ...due,
    scheduled_event_id: event.id,
    occurrence_index: 0,
    owner_user_id: ctx.user.id,
    status: 'incomplete',
    created_at: now,
    modified_at: now,
  });
  task.moveTo(status, ctx.user.id, now);
  await ctx.em.flush();
  publish(ctx, taskCreated, factOfTask(task));
  await noteAssignment(ctx, task);
  return task;
}

/** Adds the event of a task that stands alone. */
export async function addEvent(
  ctx: Context,
  crm_user_id: number,
  single_due_at: Date | null,
): Promise<TaskSeries> {
  const now = ctx.now();
  const event = ctx.em.create(TaskSeries, {
    crm_user_id,
    action: 'tasks',
    type: 'single',
    single_due_at,
    created_at: now,
    updated_at: now,
  });
  await ctx.em.flush();
  return event;
}
