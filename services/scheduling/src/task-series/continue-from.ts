import { taskSeriesChanged, taskSeriesRemoved } from '@crm/events';
import { removalOf } from '@crm/messaging';
import { endBefore, isSameRule, type Occurrence } from '@crm/recurrence';
import { type Context, demand, publish, type TransactionContext } from '@crm/service';
import type { TaskFields } from '../tasks/add-task.ts';
import type { LockedTask } from '../tasks/lock-task.ts';
import {
  mayChangeFollowing,
  mayRemoveTask,
  onlyOwnerChangesFollowing,
  onlyOwnerRemovesTask,
} from '../tasks/task.policy.ts';
import { seriesEventData } from '../tasks/task-event-data.ts';
import type { TaskSeries } from '../tasks/task-series.entity.ts';
import { continueSeries, localOf } from './continue-series.ts';
import { type Recurrence, recurrenceOf, ruleText } from './recurrence.ts';
import { addSeries, neverOccurs, occurrenceRow } from './start-series.ts';
import {
  addOccurrences,
  countOccurrences,
  keepOccurrences,
  lockOccurrences,
  moveOccurrences,
  releaseTasks,
  removeTasks,
} from './task-series.queries.ts';

/**
 * Continues a series as a new one from an occurrence on, and ends the old one before that occurrence. `own` is when that
 * occurrence is due if it keeps another time than its regular one. Throws BadRequest if the new recurrence never occurs, and
 * Forbidden if only the owner may do this.
 */
export async function continueFrom(
  ctx: Context,
  { series, task }: LockedTask,
  fields: TaskFields,
  sent: Recurrence,
  own?: Pick<Occurrence, 'local' | 'instant'>,
): Promise<void> {
  const recurrence = recurrenceOf(series);
  if (!recurrence) throw new Error(`Task ${task.id} is not in a series.`);
  const now = ctx.now();
  const existing = await lockOccurrences(ctx.query, series.id, task.occurrence_index);
  const unclosed = existing.filter(({ id, isOpen }) => isOpen && id !== task.id);
  // Future occurrences have the assignee of the series.
  const affected = series.extend_at ? [...unclosed, series] : unclosed;
  demand(mayChangeFollowing(ctx.user, task, affected), onlyOwnerChangesFollowing);
  const nextIndex = series.next_index ?? 0;
  const plan = continueSeries(
    { ...recurrence, nextIndex },
    task.occurrence_index,
    existing,
    sent,
    now.toTemporalInstant(),
  );
  // Another rule may remove occurrences that are not created yet.
  if (!plan || plan.dropped.length > 0 || !isSameRule(recurrence.rule, sent.rule))
    demand(mayRemoveTask(ctx.user, task), onlyOwnerRemovesTask);
  if (!plan) throw neverOccurs();
  const next = await addSeries(ctx, series, fields, plan.recurrence, plan.next);
  await moveOccurrences(
    ctx.query,
    next.id,
    plan.moved.map(({ id, at }) => ({ id, ...occurrenceRow(id === task.id ? { ...at, ...own } : at) })),
    now,
  );
  await keepOccurrences(ctx.query, next.id, plan.kept);
  await releaseTasks(ctx.query, plan.released, now);
  await removeTasks(ctx.query, plan.dropped);
  await addOccurrences(ctx.query, [{ series: next.id, occurrences: plan.added.map(occurrenceRow) }], now);
  await endSeries(ctx, series, task.occurrence_index);
}

/** Ends a series before one of its occurrences, from which on none is left. A series without occurrences is removed. */
export async function endSeries(ctx: TransactionContext, series: TaskSeries, index: number): Promise<void> {
  const { total } = await countOccurrences(ctx.query, series.id);
  if (total === 0) {
    publish(ctx, taskSeriesRemoved, removalOf(series), seriesEventData(series));
    ctx.em.remove(series);
    return;
  }
  const recurrence = recurrenceOf(series);
  const rule = recurrence && ruleUntil(recurrence, index);
  ctx.em.assign(series, {
    ...(rule !== undefined && { rule }),
    next_index: index,
    extend_at: null,
    updated_at: ctx.now(),
  });
  await ctx.em.flush();
  publish(ctx, taskSeriesChanged, series, seriesEventData(series));
}

/** The text of the rule that ends before an occurrence; undefined if it ends before that anyway. */
function ruleUntil(recurrence: Recurrence, index: number): string | undefined {
  const { rule, start, zone } = recurrence;
  const local = localOf(recurrence, index);
  return local && ruleText({ ...recurrence, rule: endBefore(rule, start, zone, local) });
}
