import { type Query, queryIds, queryRows } from '@crm/data';
import { z } from 'zod';

/**
 * Locks the scheduled events of all tasks of these campaign contacts until the transaction ends. Tasks are changed only
 * while their scheduled event is locked.
 */
export async function lockScheduledEvents(query: Query, campaignContacts: readonly number[]): Promise<void> {
  for (let before = ''; ; ) {
    const ids = await queryIds(
      query,
      'select id from task_series where campaign_contact_id = any($1::int[]) order by id for update',
      [campaignContacts],
    );
    const locked = ids.join();
    // While this waited, a series may have been split into two.
    if (locked === before) return;
    before = locked;
  }
}

const type = z.enum(['single', 'recurrent']);

const RemovedTask = z.object({
  id: z.int(),
  version: z.int(),
  scheduled_event_id: z.int(),
  owner_user_id: z.int(),
  type,
});

/** Removes the tasks that are still to be done. */
export async function removeOpenTasks(query: Query, campaignContacts: readonly number[]) {
  return queryRows(
    query,
    RemovedTask,
    `delete from tasks using task_series series
     where series.id = tasks.scheduled_event_id and tasks.campaign_contact_id = any($1::int[])
       and tasks.status = 'incomplete'
     returning tasks.id, tasks.version, scheduled_event_id, owner_user_id, series.type`,
    [campaignContacts],
  );
}

const RemovedScheduledEvent = z.object({ id: z.int(), version: z.int(), crm_user_id: z.int(), type });

/** Removes the scheduled events that no task belongs to any more. */
export async function removeEmptyScheduledEvents(query: Query, campaignContacts: readonly number[]) {
  return queryRows(
    query,
    RemovedScheduledEvent,
    `delete from task_series where campaign_contact_id = any($1::int[])
       and not exists (select from tasks where tasks.scheduled_event_id = task_series.id)
     returning id, version, crm_user_id, type`,
    [campaignContacts],
  );
}

const ContinuingSeries = z.object({ id: z.int(), next: z.int() });

/** The series that would continue, or would have until now, with the number after their last occurrence. */
export async function continuingSeries(
  query: Query,
  campaignContacts: readonly number[],
  touched: readonly number[],
) {
  return queryRows(
    query,
    ContinuingSeries,
    `select series.id, max(tasks.occurrence_index) + 1 as next
     from task_series series join tasks on tasks.scheduled_event_id = series.id
     where series.campaign_contact_id = any($1::int[]) and series.type = 'recurrent'
       and (series.extend_at is not null or series.id = any($2::int[]))
     group by series.id order by series.id`,
    [campaignContacts, touched],
  );
}
