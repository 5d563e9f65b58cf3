import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { system } from '@crm/auth';
import { emFor, queryIn } from '@crm/data';
import { enrolmentRemoved, taskRemoved, taskSeriesRemoved } from '@crm/events';
import { removalOf } from '@crm/messaging';
import {
  dueIn,
  isCollision,
  publish,
  repeatAfterCommits,
  type TransactionContext,
  type Worker,
  type WorkerContext,
} from '@crm/service';
import {
  type EndScope,
  isUnremoved,
  lockUnremoved,
  markRemoved,
  postponeRemoval,
  removalsToCome,
  unremovedEnds,
} from '../enrolment-ends/enrolment-end.queries.ts';
import { endSeries } from '../task-series/continue-from.ts';
import { seriesEventData, taskEventData } from '../tasks/task-event-data.ts';
import { TaskSeries } from '../tasks/task-series.entity.ts';
import {
  type Counts,
  isAnythingUnsent,
  removeEnrolments,
  removeUnsent,
  someCampaignContacts,
} from './enrolment.queries.ts';
import { enrolmentAggregate, enrolmentEventData } from './enrolment-event-data.ts';
import {
  isAnyUnstopped,
  lockUnstopped,
  removeEmptyScheduledEvents,
  removeOpenTasks,
  seriesWithoutOpenTasks,
} from './open-tasks.queries.ts';

const everyMs = 1_000;
const lockedMs = 50;

/** How many contacts, communications and tasks are removed in one transaction, each. */
const portionSize = 1_000;
/** It takes some statements to end a series, and a fraction of one to remove a task. */
const tasksPerSeries = 10;

/**
 * Removes the unsent communications and open tasks of a stopped scope in portions of one transaction each, until nothing is left,
 * whoever removed it, or until a monotonic time; returns how many it removed itself. Messages that were sent or are being sent,
 * and closed tasks, do not change.
 */
export async function removeStopped(
  em: TransactionContext['em'],
  origin: Pick<TransactionContext, 'actor' | 'requestId' | 'now'>,
  scope: EndScope,
  until: number,
  size = portionSize,
): Promise<Counts> {
  const removed = { communications: 0, tasks: 0 };
  do {
    // Forked, because an entity manager that keeps the events of all portions becomes slower with each.
    const portion = await em
      .fork()
      .transactional((tx) => removePortion({ ...origin, em: tx, query: queryIn(tx) }, scope, size))
      .catch((error: unknown) => {
        if (!isCollision(error)) throw error;
        return { communications: 0, tasks: 0, isDone: false };
      });
    removed.communications += portion.communications;
    removed.tasks += portion.tasks;
    if (portion.isDone) break;
    // The rest is locked by somebody else.
    if (portion.communications + portion.tasks === 0) await sleep(lockedMs);
  } while (performance.now() < until);
  return removed;
}

/** Removes the rest of all stopped scopes. A scope that fails is postponed, and does not block others. */
export async function removeStoppedEverywhere({
  database: { orm, query },
  clock,
  log,
}: Pick<WorkerContext, 'database' | 'clock' | 'log'>): Promise<void> {
  for (const scope of await unremovedEnds(query)) {
    const now = clock();
    const origin = { actor: system, requestId: randomUUID(), now: () => now };
    try {
      await removeStopped(emFor(orm, system), origin, scope, performance.now() + everyMs);
    } catch (error) {
      log.error({ err: error, ...scope }, 'what a campaign would have sent could not be removed');
      await postponeRemoval(query, scope, String(error));
    }
  }
}

export const removeStoppedWorker: Worker = async (context) =>
  repeatAfterCommits(
    'remove what stopped campaigns would have sent',
    everyMs,
    async () => {
      await removeStoppedEverywhere(context);
      return dueIn(context.database.query, removalsToCome);
    },
    context,
  );

async function removePortion(
  ctx: TransactionContext,
  scope: EndScope,
  size: number,
): Promise<Counts & { readonly isDone: boolean }> {
  const { query } = ctx;
  // Somebody else may be removing it: the worker, which each stop wakes, or the request.
  if (!(await lockUnremoved(query, scope)))
    return { communications: 0, tasks: 0, isDone: !(await isUnremoved(query, scope)) };
  const campaignContacts = await someCampaignContacts(query, scope, size);
  const communications = await removeUnsent(query, scope, campaignContacts, size);
  const { tasks, isAnyLeft } = await stopTasks(ctx, campaignContacts, size);
  // The enrolment identifies the campaign of a task, and is therefore removed last.
  if (communications === size || isAnyLeft) return { communications, tasks, isDone: false };
  const enrolments = await removeEnrolments(query, campaignContacts);
  for (const enrolment of enrolments)
    publish(ctx, enrolmentRemoved, removalOf(enrolmentAggregate(enrolment)), enrolmentEventData(enrolment));
  const isDone = enrolments.length === 0 && !(await isAnythingUnsent(query, scope));
  if (isDone) await markRemoved(query, scope);
  return { communications, tasks, isDone };
}

async function stopTasks(
  ctx: TransactionContext,
  campaignContacts: readonly number[],
  size: number,
): Promise<{ readonly tasks: number; readonly isAnyLeft: boolean }> {
  const { query } = ctx;
  const seriesAtOnce = Math.ceil(size / tasksPerSeries);
  let tasks = 0;
  for (let room = size; room > 0; ) {
    const locked = await lockUnstopped(query, campaignContacts, seriesAtOnce);
    // A locked one may have been split into two meanwhile.
    if (locked.length === 0 && !(await isAnyUnstopped(query, campaignContacts)))
      return { tasks, isAnyLeft: false };
    const removed = await removeOpenTasks(query, locked, room);
    for (const task of removed) {
      if (task.type === 'single') publish(ctx, taskRemoved, removalOf(task), taskEventData(task));
    }
    tasks += removed.length;
    room -= removed.length + (await endWithoutTasks(ctx, locked)) * tasksPerSeries;
  }
  return { tasks, isAnyLeft: true };
}

/** Of the scheduled events, removes those without tasks, ends those with closed ones, and returns how many it ended. */
async function endWithoutTasks(ctx: TransactionContext, locked: readonly number[]): Promise<number> {
  for (const series of await removeEmptyScheduledEvents(ctx.query, locked)) {
    if (series.type === 'recurrent')
      publish(ctx, taskSeriesRemoved, removalOf(series), seriesEventData(series));
  }
  const stopped = await seriesWithoutOpenTasks(ctx.query, locked);
  for (const { id, next } of stopped) await endSeries(ctx, await ctx.em.findOneOrFail(TaskSeries, id), next);
  return stopped.length;
}
