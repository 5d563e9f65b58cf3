import { enrolmentRemoved, taskRemoved, taskSeriesRemoved } from '@crm/events';
import { publishRemoval } from '@crm/service';
import { endSeries } from '../task-series/continue-from.ts';
import { TaskSeries } from '../task-series/task-series.entity.ts';
import { seriesEventData, taskEventData } from '../tasks/task-event-data.ts';
import type { TransactionContext } from '../transaction-context.ts';
import { type Counts, removeEnrolments, removeUnsent, type Stopped } from './enrolment.queries.ts';
import { end } from './enrolment-end.queries.ts';
import { enrolmentAggregate, enrolmentEventData } from './enrolment-event-data.ts';
import { continuingSeries, holdEvents, removeEmptyEvents, removeOpenTasks } from './open-tasks.queries.ts';

/**
 * Removes what a contact in a campaign, or all contacts in one, have still to get and what is still to be done, for good,
 * and tells how much it was. What was sent, is being handed over, or is closed stays as it is.
 */
export async function stop(ctx: TransactionContext, stopped: Stopped): Promise<Counts> {
  await end(ctx.query, wholeOf(stopped), ctx.now());
  const enrolments = await removeEnrolments(ctx.query, stopped);
  const communications = await removeUnsent(ctx.query, stopped);
  const tasks = await stopTasks(ctx, campaignContactsOf(stopped, enrolments));
  for (const enrolment of enrolments)
    publishRemoval(ctx, enrolmentRemoved, enrolmentAggregate(enrolment), enrolmentEventData(enrolment));
  return { communications, tasks };
}

function wholeOf(stopped: Stopped) {
  return 'campaign_id' in stopped
    ? ({ what: 'campaign', id: stopped.campaign_id } as const)
    : ({ what: 'campaign contact', id: stopped.campaign_contact_id } as const);
}

function campaignContactsOf(
  stopped: Stopped,
  enrolments: readonly { readonly campaign_contact_id: number }[],
): number[] {
  if ('campaign_contact_id' in stopped) return [stopped.campaign_contact_id];
  return enrolments.map(({ campaign_contact_id }) => campaign_contact_id);
}

async function stopTasks(ctx: TransactionContext, campaignContacts: readonly number[]): Promise<number> {
  const { query } = ctx;
  await holdEvents(query, campaignContacts);
  const removed = await removeOpenTasks(query, campaignContacts);
  for (const task of removed) {
    if (task.type === 'single') publishRemoval(ctx, taskRemoved, task, taskEventData(task));
  }
  for (const series of await removeEmptyEvents(query, campaignContacts)) {
    if (series.type === 'recurrent') publishRemoval(ctx, taskSeriesRemoved, series, seriesEventData(series));
  }
  const touched = removed.map(({ scheduled_event_id }) => scheduled_event_id);
  for (const { id, next } of await continuingSeries(query, campaignContacts, touched)) {
    await endSeries(ctx, await ctx.em.findOneOrFail(TaskSeries, id), next);
  }
  return removed.length;
}
