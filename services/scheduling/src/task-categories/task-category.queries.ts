import { readModel } from '@crm/data';
import { TaskCategoryView } from './task-category.api.ts';
import { visibleTaskCategories } from './task-category.policy.ts';

export const taskCategoryRows = readModel(TaskCategoryView, {
  table: 'task_categories',
  visible: visibleTaskCategories,
  hidden: { removed_at: { kind: 'instant', sql: 'task_categories.removed_at' } },
});
