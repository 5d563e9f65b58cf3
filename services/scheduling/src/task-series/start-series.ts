import { invalidField, required } from '@crm/contract';
import { taskSeriesCreated } from '@crm/events';
import { dateOf, isDay, type Occurrence, timeOfStart } from '@crm/recurrence';
import { type Context, causeNow, publish, type TransactionContext } from '@crm/service';
import type { Origin, TaskFields } from '../tasks/add-task.ts';
import { type Due, localText } from '../tasks/due.ts';
import { seriesEventData } from '../tasks/task-event-data.ts';
import { TaskSeries } from '../tasks/task-series.entity.ts';
import { type OccurrencePlan, planOccurrences } from './plan-occurrences.ts';
import { type Recurrence, ruleText, startAt } from './recurrence.ts';
import { addOccurrences, firstOccurrence, type OccurrenceRow } from './task-series.queries.ts';

/** The years in which a series may start, within the range of dates that can be computed. */
const startYears = { from: 1000, to: 9000 };

type SentRule = Pick<Recurrence, 'rule' | 'written'>;

/** The recurrence that a caller sends. Throws BadRequest. */
export function recurrenceFrom(
  sent: SentRule,
  { due_local, timezone }: Due,
  { is_all_day }: Pick<TaskFields, 'is_all_day'>,
): Recurrence {
  if (due_local === null) throw invalidField('due_at', required);
  const start = startAt(Temporal.PlainDateTime.from(due_local), is_all_day);
  const { from, to } = startYears;
  if (start.year < from || start.year > to)
    throw invalidField('due_at', `must be in the years ${from} to ${to} with a recurrence_rule`);
  return { ...sent, start, zone: timezone };
}

/** The refusal of a valid rule without any occurrence from its start on. */
export const neverOccurs = () => invalidField('recurrence_rule', 'never occurs on or after due_at');

/** Adds a recurring task with the occurrences that are within the horizon, and returns the id of the first. Throws BadRequest. */
export async function startSeries(ctx: Context, fields: TaskFields, recurrence: Recurrence): Promise<number> {
  const { added, ...next } = planOccurrences(recurrence, 0, 0, ctx.now().toTemporalInstant());
  if (added.length === 0) throw neverOccurs();
  const origin = { crm_user_id: ctx.user.id, action: 'tasks', campaign_contact_id: null } as const;
  const series = await addSeries(ctx, origin, fields, recurrence, next);
  await addOccurrences(ctx.query, [{ series: series.id, occurrences: added.map(occurrenceRow) }], ctx.now());
  return firstOccurrence(ctx.query, series.id);
}

/** Adds the scheduled event of a recurring task, without occurrences. */
export async function addSeries(
  ctx: TransactionContext,
  origin: Origin,
  fields: TaskFields,
  recurrence: Recurrence,
  next: Pick<OccurrencePlan, 'nextIndex' | 'extendAt'>,
): Promise<TaskSeries> {
  const series = newSeries(ctx, origin, fields, recurrence, next);
  await ctx.em.flush();
  publish(ctx, taskSeriesCreated, series, seriesEventData(series));
  return series;
}

/** Like `addSeries`, but the caller flushes and publishes. */
export function newSeries(
  { em, now, requestId }: TransactionContext,
  { crm_user_id, action, campaign_contact_id }: Origin,
  fields: TaskFields,
  recurrence: Recurrence,
  next: Pick<OccurrencePlan, 'nextIndex' | 'extendAt'>,
): TaskSeries {
  const { start, zone } = recurrence;
  return em.create(TaskSeries, {
    ...fields,
    crm_user_id,
    action,
    campaign_contact_id: campaign_contact_id ?? null,
    type: 'recurrent',
    single_due_at: dateOf(timeOfStart(start).toZonedDateTime(zone).toInstant()),
    rule: ruleText(recurrence),
    start_local: isDay(start) ? start.toString() : localText(start),
    timezone: zone,
    next_index: next.nextIndex,
    extend_at: next.extendAt && dateOf(next.extendAt),
    created_at: now(),
    updated_at: now(),
    cause: causeNow({ requestId }),
  });
}

export const occurrenceRow = ({ index, local, instant }: Occurrence): OccurrenceRow => ({
  index,
  due_local: localText(local),
  due_at: instant.toString(),
});
