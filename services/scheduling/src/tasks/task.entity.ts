import { visibleBy } from '@crm/data';
import { defineEntity, p } from '@mikro-orm/core';
import type { ActionType } from './action-type.api.ts';
import { visibleTasks } from './task.policy.ts';

type Status = 'incomplete' | 'complete' | 'deleted';

const TaskSchema = defineEntity({
  name: 'Task',
  tableName: 'tasks',
  properties: {
    id: p.integer().primary(),
    version: p.integer().version(),
    /** The event it is an occurrence of; one that stands alone has an event of its own. */
    scheduled_event_id: p.integer(),
    /** Its number in its event, from 0. */
    occurrence_index: p.integer(),
    owner_user_id: p.integer(),
    assigned_user_id: p.integer().nullable(),
    contact_id: p.integer().nullable(),
    campaign_contact_id: p.integer().nullable(),
    action_type: p.string().$type<ActionType>(),
    description: p.string(),
    notes: p.string().nullable(),
    status: p.string().$type<Status>(),
    due_at: p.datetime().nullable(),
    /** What the wall in `timezone` shows when it is due: `YYYY-MM-DDTHH:MM:SS`. */
    due_local: p.string().nullable(),
    timezone: p.string(),
    is_all_day: p.boolean(),
    notify_assignee: p.boolean(),
    category_id: p.integer().nullable(),
    completed_at: p.datetime().nullable(),
    completing_user_id: p.integer().nullable(),
    created_at: p.datetime(),
    modified_at: p.datetime(),
  },
  filters: visibleBy(visibleTasks),
});

/** Something to be done, alone or as one occurrence of a recurring task. */
export class Task extends TaskSchema.class {
  /** Every move among the three is allowed. Who completes it again is not noted again. */
  moveTo(status: Status, userId: number, now: Date) {
    if (status === this.status) return;
    this.status = status;
    this.completed_at = status === 'complete' ? now : null;
    this.completing_user_id = status === 'complete' ? userId : null;
  }
}
TaskSchema.setClass(Task);
