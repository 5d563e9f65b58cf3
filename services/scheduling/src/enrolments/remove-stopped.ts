import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { system } from '@crm/auth';
import { emFor, queryIn } from '@crm/data';
import { enrolmentRemoved, taskRemoved, taskSeriesRemoved } from '@crm/events';
import {
  dueIn,
  isCollision,
  publishRemoval,
  repeatAfterCommits,
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
import type { TransactionContext } from '../transaction-context.ts';
import {
  type Counts,
  isAnythingUnsent,
  removeEnrolments,
  removeUnsent,
  someCampaignContacts,
} from './enrolment.queries.ts';
import { enrolmentAggregate, enrolmentEventData } from './enrolment-event-data.ts';
import {
  continuingSeries,
  lockScheduledEvents,
  removeEmptyScheduledEvents,
  removeOpenTasks,
} from './open-tasks.queries.ts';

const everyMs = 1_000;
const lockedMs = 50;

type Origin = Pick<TransactionContext, 'actor' | 'requestId' | 'now'>;

/**
 * Removes the unsent communications and open tasks of a stopped scope in portions of one transaction each, until nothing
 * is left, whoever removes it, or a monotonic time has come, and returns how many it removed itself. What was sent, is
 * being sent, or is closed does not change.
 */
export async function removeStopped(
  em: TransactionContext['em'],
  origin: Origin,
  scope: EndScope,
  until: number,
): Promise<Counts> {
  const removed = { communications: 0, tasks: 0 };
  do {
    // Forked, because one that keeps the events of all portions becomes slower with each.
    const portion = await em
      .fork()
      .transactional((tx) => removePortion({ ...origin, em: tx, query: queryIn(tx) }, scope))
      .catch((error: unknown) => {
        if (!isCollision(error)) throw error;
        return { communications: 0, tasks: 0, isDone: false };
      });
    removed.communications += portion.communications;
    removed.tasks += portion.tasks;
    if (portion.isDone) break;
    // What is left is locked by somebody else.
    if (portion.communications + portion.tasks === 0) await sleep(lockedMs);
  } while (performance.now() < until);
  return removed;
}

/** Removes what is left of all stopped scopes. One that fails is postponed, and holds up no other. */
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
): Promise<Counts & { readonly isDone: boolean }> {
  const { query } = ctx;
  // Somebody else may be removing it: the worker, which each stop wakes, or the request.
  if (!(await lockUnremoved(query, scope)))
    return { communications: 0, tasks: 0, isDone: !(await isUnremoved(query, scope)) };
  const campaignContacts = await someCampaignContacts(query, scope);
  const communications = await removeUnsent(query, scope, campaignContacts);
  const tasks = await stopTasks(ctx, campaignContacts);
  const enrolments = await removeEnrolments(query, campaignContacts);
  for (const enrolment of enrolments)
    publishRemoval(ctx, enrolmentRemoved, enrolmentAggregate(enrolment), enrolmentEventData(enrolment));
  const isDone = enrolments.length === 0 && !(await isAnythingUnsent(query, scope));
  if (isDone) await markRemoved(query, scope);
  return { communications, tasks, isDone };
}

async function stopTasks(ctx: TransactionContext, campaignContacts: readonly number[]): Promise<number> {
  const { query } = ctx;
  await lockScheduledEvents(query, campaignContacts);
  const removed = await removeOpenTasks(query, campaignContacts);
  for (const task of removed) {
    if (task.type === 'single') publishRemoval(ctx, taskRemoved, task, taskEventData(task));
  }
  for (const series of await removeEmptyScheduledEvents(query, campaignContacts)) {
    if (series.type === 'recurrent') publishRemoval(ctx, taskSeriesRemoved, series, seriesEventData(series));
  }
  const touched = removed.map(({ scheduled_event_id }) => scheduled_event_id);
  for (const { id, next } of await continuingSeries(query, campaignContacts, touched)) {
    await endSeries(ctx, await ctx.em.findOneOrFail(TaskSeries, id), next);
  }
  return removed.length;
}
