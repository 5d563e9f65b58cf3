import { wrong } from '@crm/contract';
import { taskSeriesCreated } from '@crm/events';
import { type Occurrence, type Rule, textOf } from '@crm/recurrence';
import { type Context, publish } from '@crm/service';
import type { Origin, TaskFields } from '../tasks/add-task.ts';
import { type Due, localText } from '../tasks/due.ts';
import { seriesEventData } from '../tasks/task-event-data.ts';
import type { TransactionContext } from '../transaction-context.ts';
import { type Making, makeOccurrences } from './make-occurrences.ts';
import type { Recurrence } from './recurrence.ts';
import { TaskSeries } from './task-series.entity.ts';
import { addOccurrences, firstOccurrence, type Place } from './task-series.queries.ts';

/** The years in which a series may start: the calendar has years enough before and after them. */
const startYears = { from: 1000, to: 9000 };

/** The recurrence that a caller sends. Throws BadRequest. */
export function recurrenceFrom(rule: Rule, { due_local, timezone }: Due): Recurrence {
  if (due_local === null) throw wrong('due_at', 'is required');
  const start = Temporal.PlainDateTime.from(due_local);
  const { from, to } = startYears;
  if (start.year < from || start.year > to)
    throw wrong('due_at', `must be in the years ${from} to ${to} with a recurrence_rule`);
  return { rule, start, zone: timezone };
}

/** A rule that is right in itself, and has no day from its start on. */
export const neverReached = () => wrong('recurrence_rule', 'is never reached from due_at on');

/** Adds a recurring task with the occurrences that are in view, and answers the id of the first. Throws BadRequest. */
export async function startSeries(ctx: Context, fields: TaskFields, recurrence: Recurrence): Promise<number> {
  const { made, ...next } = makeOccurrences(recurrence, 0, 0, instantOfDate(ctx.now()));
  if (made.length === 0) throw neverReached();
  const origin = { crm_user_id: ctx.user.id, action: 'tasks', campaign_contact_id: null } as const;
  const series = await addSeries(ctx, origin, fields, recurrence, next);
  await addOccurrences(ctx.query, [{ series: series.id, places: made.map(placeOf) }], ctx.now());
  return firstOccurrence(ctx.query, series.id);
}

/** Adds the event of a recurring task, still without an occurrence. */
export async function addSeries(
  ctx: TransactionContext,
  origin: Origin,
  fields: TaskFields,
  recurrence: Recurrence,
  next: Pick<Making, 'nextIndex' | 'extendAt'>,
): Promise<TaskSeries> {
  const series = newSeries(ctx, origin, fields, recurrence, next);
  await ctx.em.flush();
  publish(ctx, taskSeriesCreated, series, seriesEventData(series));
  return series;
}

/** The same, which the next flush writes, and of which nothing is said yet. */
export function newSeries(
  { em, now }: TransactionContext,
  { crm_user_id, action, campaign_contact_id }: Origin,
  fields: TaskFields,
  { rule, start, zone }: Recurrence,
  next: Pick<Making, 'nextIndex' | 'extendAt'>,
): TaskSeries {
  return em.create(TaskSeries, {
    ...fields,
    crm_user_id,
    action,
    campaign_contact_id: campaign_contact_id ?? null,
    type: 'recurrent',
    single_due_at: dateOf(start.toZonedDateTime(zone).toInstant()),
    rule: textOf(rule),
    start_local: localText(start),
    timezone: zone,
    next_index: next.nextIndex,
    extend_at: next.extendAt && dateOf(next.extendAt),
    created_at: now(),
    updated_at: now(),
  });
}

export const placeOf = ({ index, local, instant }: Occurrence): Place => ({
  index,
  due_local: localText(local),
  due_at: instant.toString(),
});

export const instantOfDate = (date: Date): Temporal.Instant =>
  Temporal.Instant.fromEpochMilliseconds(date.getTime());
export const dateOf = (instant: Temporal.Instant): Date => new Date(instant.epochMilliseconds);
