import { hasRows, type Query, queryIds, queryRows } from '@crm/data';
import { z } from 'zod';

/** Not with `exists`, for which PostgreSQL may read the tasks of everybody and keep their scheduled events. */
const someTask = (condition = 'true') =>
  `(select true from tasks where tasks.scheduled_event_id = task_series.id and ${condition} limit 1)`;
const hasOpenTasks = `${someTask("tasks.status = 'incomplete'")} is not null`;
const hasNoTasks = `${someTask()} is null`;

/** What is left of these campaign contacts: scheduled events with open tasks or none, and series that would continue. */
const unstopped = `campaign_contact_id = any($1::int[]) and (extend_at is not null or ${hasOpenTasks} or ${hasNoTasks})`;

/**
 * Locks some remaining scheduled events of these campaign contacts until the transaction ends. Tasks are changed only while their
 * scheduled event is locked.
 */
export async function lockUnstopped(
  query: Query,
  campaignContacts: readonly number[],
  limit: number,
): Promise<number[]> {
  return queryIds(
    query,
    `select id from task_series where ${unstopped} order by campaign_contact_id, id limit $2::int for update`,
    [campaignContacts, limit],
  );
}

/** Whether any is left, such as one from a series that was split while somebody waited for its lock. */
export function isAnyUnstopped(query: Query, campaignContacts: readonly number[]): Promise<boolean> {
  return hasRows(query, `select from task_series where ${unstopped} limit 1`, [campaignContacts]);
}

const type = z.enum(['single', 'recurrent']);

const RemovedTask = z.object({
  id: z.int(),
  version: z.int(),
  scheduled_event_id: z.int(),
  owner_user_id: z.int(),
  type,
});

/** Removes some open tasks of scheduled events. */
export async function removeOpenTasks(query: Query, scheduledEvents: readonly number[], limit: number) {
  return queryRows(
    query,
    RemovedTask,
    `with open as (
       select id from tasks where scheduled_event_id = any($1::int[]) and status = 'incomplete'
       order by scheduled_event_id, occurrence_index limit $2::int
     )
     delete from tasks using open, task_series series
     where tasks.id = open.id and series.id = tasks.scheduled_event_id
     returning tasks.id, tasks.version, scheduled_event_id, owner_user_id, series.type`,
    [scheduledEvents, limit],
  );
}

const RemovedScheduledEvent = z.object({ id: z.int(), version: z.int(), crm_user_id: z.int(), type });

/** Removes the scheduled events that no longer have tasks. */
export async function removeEmptyScheduledEvents(query: Query, scheduledEvents: readonly number[]) {
  return queryRows(
    query,
    RemovedScheduledEvent,
    `delete from task_series where id = any($1::int[])
       and ${hasNoTasks}
     returning id, version, crm_user_id, type`,
    [scheduledEvents],
  );
}

const StoppedSeries = z.object({ id: z.int(), next: z.int() });

/** The recurring scheduled events that have only closed tasks, with the number after their last occurrence. */
export async function seriesWithoutOpenTasks(query: Query, scheduledEvents: readonly number[]) {
  return queryRows(
    query,
    StoppedSeries,
    `select task_series.id, max(tasks.occurrence_index) + 1 as next
     from task_series join tasks on tasks.scheduled_event_id = task_series.id
     where task_series.id = any($1::int[]) and task_series.type = 'recurrent' and not (${hasOpenTasks})
     group by task_series.id order by task_series.id`,
    [scheduledEvents],
  );
}
