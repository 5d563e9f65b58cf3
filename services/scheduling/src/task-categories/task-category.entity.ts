import { visibleBy } from '@crm/data';
import { defineEntity, p } from '@mikro-orm/core';
import { visibleTaskCategories } from './task-category.policy.ts';

const TaskCategorySchema = defineEntity({
  name: 'TaskCategory',
  tableName: 'task_categories',
  properties: {
    id: p.integer().primary(),
    version: p.integer().version(),
    name: p.string(),
    user_id: p.integer().nullable(),
    created_at: p.datetime(),
    modified_at: p.datetime(),
    /** Hidden since then, also in tasks. The row is deleted when no task or series has its id. */
    removed_at: p.datetime().nullable(),
  },
  filters: visibleBy(visibleTaskCategories),
});

/** A kind of task. */
export class TaskCategory extends TaskCategorySchema.class {}
TaskCategorySchema.setClass(TaskCategory);
