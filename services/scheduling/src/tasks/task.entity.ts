import { visibleBy } from '@crm/data';
import { defineEntity, p } from '@mikro-orm/core';
import type { ActionType } from '../action-type.api.ts';
import type { TaskStatus } from './task.api.ts';
import { visibleTasks } from './task.policy.ts';

const TaskSchema = defineEntity({
  name: 'Task',
  tableName: 'tasks',
  properties: {
    id: p.integer().primary(),
    version: p.integer().version(),
    /** The scheduled event that it is an occurrence of; a single task has its own. */
    scheduled_event_id: p.integer(),
    /** Its number in its scheduled event, from 0. */
    occurrence_index: p.integer(),
    owner_user_id: p.integer(),
    assigned_user_id: p.integer().nullable(),
    contact_id: p.integer().nullable(),
    campaign_contact_id: p.integer().nullable(),
    action_type: p.string().$type<ActionType>(),
    description: p.string(),
    notes: p.string().nullable(),
    status: p.string().$type<TaskStatus>(),
    due_at: p.datetime().nullable(),
    /** Local time in `timezone`: `YYYY-MM-DDTHH:MM:SS`. */
    due_local: p.string().nullable(),
    timezone: p.string(),
    is_all_day: p.boolean(),
    notify_assignee: p.boolean(),
    category_id: p.integer().nullable(),
    completed_at: p.datetime().nullable(),
    completing_user_id: p.integer().nullable(),
    created_at: p.datetime(),
    modified_at: p.datetime(),
    /** The origin of its reminder. */
    cause: p.json().$type<object>().nullable(),
  },
  filters: visibleBy(visibleTasks),
});

/** Something to be done, as a single task or as one occurrence of a recurring one. */
export class Task extends TaskSchema.class {
  /** Every transition between the three is allowed. Completing it again does not change who completed it. */
  moveTo(status: TaskStatus, userId: number, now: Date) {
    if (status === this.status) return;
    this.status = status;
    this.completed_at = status === 'complete' ? now : null;
    this.completing_user_id = status === 'complete' ? userId : null;
  }
}
TaskSchema.setClass(Task);
