import { type Condition, noRecord } from '@crm/contract';
import type { ReadModel } from '@crm/data';
import { type Context, loadForChange } from '@crm/service';
import { LockMode } from '@mikro-orm/core';
import { inZone } from './due.ts';
import { Task } from './task.entity.ts';
import { scheduledEventOf } from './task.queries.ts';
import { TaskSeries } from './task-series.entity.ts';

interface Wanted {
  readonly id: number;
  readonly $where?: readonly Condition[] | undefined;
}

/** A task with its scheduled event, both locked until the transaction ends. */
export interface LockedTask {
  readonly task: Task;
  readonly series: TaskSeries;
}

/**
 * A task that the actor may see and its scheduled event, both locked until the transaction ends: the scheduled event first, so
 * that the changes of a series are made one after another. Throws NotFound.
 */
export async function lockTask(
  ctx: Context,
  model: ReadModel,
  { id, $where = [] }: Wanted,
): Promise<LockedTask> {
  for (;;) {
    const scheduledEventId = await scheduledEventOf(ctx.query, ctx.user, id);
    if (scheduledEventId === undefined) throw noRecord(id);
    const series = await ctx.em.findOne(TaskSeries, scheduledEventId, {
      lockMode: LockMode.PESSIMISTIC_WRITE,
    });
    // Read again before the task is locked: locking a scheduled event while holding a task could deadlock.
    if (series && (await scheduledEventOf(ctx.query, ctx.user, id)) === series.id) {
      const wanted = { id, $where: inZone($where, ctx.user.timezone) };
      return { task: await loadForChange(ctx, Task, model, wanted), series };
    }
    // While this waited, the task was moved to another series.
    ctx.em.clear();
  }
}
