import { taskRemoved } from '@crm/events';
import { removalOf } from '@crm/messaging';
import { type Context, publish } from '@crm/service';
import type { Task } from './task.entity.ts';
import { taskEventData } from './task-event-data.ts';
import type { TaskSeries } from './task-series.entity.ts';

/** Removes one task; a series continues without it. */
export async function removeTask(ctx: Context, task: Task, series: TaskSeries): Promise<void> {
  ctx.em.remove(task);
  await ctx.em.flush();
  if (series.type === 'single') ctx.em.remove(series);
  publish(ctx, taskRemoved, removalOf(task), taskEventData(task));
}
