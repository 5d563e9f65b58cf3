import { calendarApi } from './calendar/calendar.api.ts';
import { scheduledTaskApi } from './scheduled-tasks/scheduled-task.api.ts';
import { taskCategoryApi } from './task-categories/task-category.api.ts';
import { taskApi } from './tasks/task.api.ts';

/** All that tasks and communications may be asked. */
export const schedulingApi = {
  calendar: calendarApi,
  scheduledTasks: scheduledTaskApi,
  taskCategories: taskCategoryApi,
  tasks: taskApi,
};
