import { type Context, demand } from '@crm/service';
import { addScheduledEvent } from '../tasks/add-task.ts';
import type { LockedTask } from '../tasks/lock-task.ts';
import { mayRemoveTask, onlyOwnerRemovesTask } from '../tasks/task.policy.ts';
import { endSeries } from './continue-from.ts';
import { lockOccurrences, releaseTasks, removeTasks } from './task-series.queries.ts';

/** Separates an occurrence from its series, which continues without it. */
export async function standAlone(ctx: Context, { task, series }: LockedTask): Promise<void> {
  const scheduledEvent = await addScheduledEvent(ctx, series, task.due_at ?? null);
  task.scheduled_event_id = scheduledEvent.id;
  task.occurrence_index = 0;
  await ctx.em.flush();
}

/**
 * Ends a series with an occurrence, which becomes a single task. Later closed occurrences are kept as single tasks too; open ones
 * are removed. Throws Forbidden if the actor is not the owner.
 */
export async function endWith(ctx: Context, { task, series }: LockedTask): Promise<void> {
  demand(mayRemoveTask(ctx.user, task), onlyOwnerRemovesTask);
  const index = task.occurrence_index;
  const existing = await lockOccurrences(ctx.query, series.id, index);
  const others = existing.filter(({ id }) => id !== task.id);
  await standAlone(ctx, { task, series });
  const idsOf = (isOpen: boolean) => others.filter((one) => one.isOpen === isOpen).map(({ id }) => id);
  await removeTasks(ctx.query, idsOf(true));
  await releaseTasks(ctx.query, idsOf(false), ctx.now());
  await endSeries(ctx, series, index);
}
