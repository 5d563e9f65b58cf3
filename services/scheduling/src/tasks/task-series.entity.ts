import { defineEntity, p } from '@mikro-orm/core';

const TaskSeriesSchema = defineEntity({
  name: 'TaskSeries',
  tableName: 'task_series',
  properties: {
    id: p.integer().primary(),
    version: p.integer().version(),
    crm_user_id: p.integer(),
    action: p.string().$type<'tasks' | 'campaign_actions'>(),
    campaign_contact_id: p.integer().nullable(),
    type: p.string().$type<'recurrent' | 'single'>(),
    /** When a single task was first due, or a recurring one starts. */
    single_due_at: p.datetime().nullable(),
    created_at: p.datetime(),
    updated_at: p.datetime(),
    /** The following columns are set only for a recurring task. */
    rule: p.string().nullable(),
    start_local: p.string().nullable(),
    timezone: p.string().nullable(),
    /** The number of the first occurrence that was not created yet. */
    next_index: p.integer().nullable(),
    /** When more occurrences may have to be created; null when there are no more. */
    extend_at: p.datetime().nullable(),
    /** Why no more occurrences can be created. */
    problem: p.string().nullable(),
    assigned_user_id: p.integer().nullable(),
    contact_id: p.integer().nullable(),
    action_type: p.string().nullable(),
    description: p.string().nullable(),
    notes: p.string().nullable(),
    is_all_day: p.boolean().nullable(),
    notify_assignee: p.boolean().nullable(),
    category_id: p.integer().nullable(),
    cause: p.json().$type<object>().nullable(),
  },
});

/** The scheduled event of a single task, or of all occurrences of a recurring one, with the values that they inherit. */
export class TaskSeries extends TaskSeriesSchema.class {}
TaskSeriesSchema.setClass(TaskSeries);
