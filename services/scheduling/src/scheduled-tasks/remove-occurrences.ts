import type { Context } from '@crm/service';
import { endSeries } from '../task-series/continue-from.ts';
import { lockOccurrences, removeTasks } from '../task-series/task-series.queries.ts';
import type { LockedTask } from '../tasks/lock-task.ts';
import { removeTask } from '../tasks/remove-task.ts';

/**
 * Removes tasks according to a delete_type: 1 only the task, 2 also the following ones, 3 its whole series, including closed
 * ones.
 */
export async function removeOccurrences(
  ctx: Context,
  { task, series }: LockedTask,
  type: number,
): Promise<void> {
  if (type === 1 || series.type === 'single') return removeTask(ctx, task, series);
  const from = type === 3 ? 0 : task.occurrence_index;
  const occurrences = await lockOccurrences(ctx.query, series.id, from);
  await removeTasks(
    ctx.query,
    occurrences.map(({ id }) => id),
  );
  await endSeries(ctx, series, from);
}
