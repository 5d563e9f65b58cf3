import type { Context } from '@crm/service';
import { endSeries } from '../task-series/continue-from.ts';
import type { TaskSeries } from '../task-series/task-series.entity.ts';
import { holdOccurrences, removeTasks } from '../task-series/task-series.queries.ts';
import { removeTask } from '../tasks/remove-task.ts';
import type { Task } from '../tasks/task.entity.ts';

interface Held {
  readonly task: Task;
  readonly series: TaskSeries;
}

/** Removes a task by a delete_type: 1 it alone, 2 it and the following ones, 3 all of its event, closed ones too. */
export async function removeOccurrences(ctx: Context, { task, series }: Held, type: number): Promise<void> {
  if (type === 1 || series.type === 'single') return removeTask(ctx, task, series);
  const from = type === 3 ? 0 : task.occurrence_index;
  const occurrences = await holdOccurrences(ctx.query, series.id, from);
  await removeTasks(
    ctx.query,
    occurrences.map(({ id }) => id),
  );
  await endSeries(ctx, series, from);
}
