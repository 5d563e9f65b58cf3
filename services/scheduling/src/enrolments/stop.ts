import { enrolmentRemoved, taskRemoved, taskSeriesRemoved } from '@crm/events';
import { publishRemoval } from '@crm/service';
import { end } from '../enrolment-ends/enrolment-end.queries.ts';
import { endSeries } from '../task-series/continue-from.ts';
import { seriesEventData, taskEventData } from '../tasks/task-event-data.ts';
import { TaskSeries } from '../tasks/task-series.entity.ts';
import type { TransactionContext } from '../transaction-context.ts';
import { type Counts, removeEnrolments, removeUnsent, type StopScope } from './enrolment.queries.ts';
import { enrolmentAggregate, enrolmentEventData } from './enrolment-event-data.ts';
import {
  continuingSeries,
  lockScheduledEvents,
  removeEmptyScheduledEvents,
  removeOpenTasks,
} from './open-tasks.queries.ts';

/**
 * Removes the unsent communications and open tasks of a contact in a campaign, or of all contacts in one, for good, and
 * returns how many there were. What was sent, is being sent, or is closed does not change.
 */
export async function stop(ctx: TransactionContext, scope: StopScope): Promise<Counts> {
  await end(ctx.query, endScopeOf(scope), ctx.now());
  const enrolments = await removeEnrolments(ctx.query, scope);
  const communications = await removeUnsent(ctx.query, scope);
  const tasks = await stopTasks(ctx, campaignContactsOf(scope, enrolments));
  for (const enrolment of enrolments)
    publishRemoval(ctx, enrolmentRemoved, enrolmentAggregate(enrolment), enrolmentEventData(enrolment));
  return { communications, tasks };
}

function endScopeOf(scope: StopScope) {
  return 'campaign_id' in scope
    ? ({ what: 'campaign', id: scope.campaign_id } as const)
    : ({ what: 'campaign contact', id: scope.campaign_contact_id } as const);
}

function campaignContactsOf(
  scope: StopScope,
  enrolments: readonly { readonly campaign_contact_id: number }[],
): number[] {
  if ('campaign_contact_id' in scope) return [scope.campaign_contact_id];
  return enrolments.map(({ campaign_contact_id }) => campaign_contact_id);
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
