import type { Context } from '@crm/service';
import { addEvent } from '../tasks/add-task.ts';
import type { Task } from '../tasks/task.entity.ts';
import { endSeries } from './continue-from.ts';
import type { TaskSeries } from './task-series.entity.ts';
import { holdOccurrences, releaseTasks, removeTasks } from './task-series.queries.ts';

interface Occurrence {
  readonly task: Task;
  readonly series: TaskSeries;
}

/** Takes an occurrence out of its series, which goes on without it. */
export async function standAlone(ctx: Context, { task, series }: Occurrence): Promise<void> {
  const event = await addEvent(ctx, series, task.due_at ?? null);
  task.scheduled_event_id = event.id;
  task.occurrence_index = 0;
  await ctx.em.flush();
}

/** Ends a series with an occurrence that stands alone from then on. What is closed after it stays, alone too. */
export async function endWith(ctx: Context, { task, series }: Occurrence): Promise<void> {
  const index = task.occurrence_index;
  const made = await holdOccurrences(ctx.query, series.id, index);
  const others = made.filter(({ id }) => id !== task.id);
  await standAlone(ctx, { task, series });
  const idsOf = (isOpen: boolean) => others.filter((one) => one.isOpen === isOpen).map(({ id }) => id);
  await removeTasks(ctx.query, idsOf(true));
  await releaseTasks(ctx.query, idsOf(false), ctx.now());
  await endSeries(ctx, series, index);
}
