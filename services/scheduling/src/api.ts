import { scheduledTaskApi } from './scheduled-tasks/scheduled-task.api.ts';
import { taskCategoryApi } from './task-categories/task-category.api.ts';
import { taskApi } from './tasks/task.api.ts';

/** All that tasks and communications may be asked. */
export const schedulingApi = {
  scheduledTasks: scheduledTaskApi,
  taskCategories: taskCategoryApi,
  tasks: taskApi,
};
