import { type Condition, noRecord } from '@crm/contract';
import type { ReadModel } from '@crm/data';
import { type Context, loadForChange } from '@crm/service';
import { LockMode } from '@mikro-orm/core';
import { TaskSeries } from '../task-series/task-series.entity.ts';
import { inZone } from './due.ts';
import { Task } from './task.entity.ts';
import { eventOfTask } from './task.queries.ts';

interface Wanted {
  readonly id: number;
  readonly $where?: readonly Condition[] | undefined;
}

/**
 * A task that the actor may see and its event, both held until the transaction ends: the event first, so that all
 * changes of a series come one after another. Throws NotFound.
 */
export async function holdTask(ctx: Context, model: ReadModel, { id, $where = [] }: Wanted) {
  for (;;) {
    const eventId = await eventOfTask(ctx.query, ctx.user, id);
    if (eventId === undefined) throw noRecord(id);
    const series = await ctx.em.findOne(TaskSeries, eventId, { lockMode: LockMode.PESSIMISTIC_WRITE });
    // Looked at before it is held: whoever holds a task waits for no event, or two would wait for each other.
    if (series && (await eventOfTask(ctx.query, ctx.user, id)) === series.id) {
      const wanted = { id, $where: inZone($where, ctx.user.timezone) };
      return { task: await loadForChange(ctx, Task, model, wanted), series };
    }
    // While it waited, the task went on in another series.
    ctx.em.clear();
  }
}
