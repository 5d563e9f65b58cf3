import type { Query } from '@crm/data';

/** Holds the events of all tasks of contacts in campaigns until the transaction ends; tasks only change below it. */
export async function holdEvents(query: Query, campaignContacts: readonly number[]): Promise<void> {
  for (let before = ''; ; ) {
    const rows = await query(
      'select id from task_series where campaign_contact_id = any($1::int[]) order by id for update',
      [campaignContacts],
    );
    const held = rows.map(({ id }) => Number(id)).join();
    // While it waited, a series may have gone on as another one.
    if (held === before) return;
    before = held;
  }
}

interface RemovedTask {
  readonly id: number;
  readonly version: number;
  readonly scheduled_event_id: number;
  readonly owner_user_id: number;
  readonly type: 'single' | 'recurrent';
}

/** Removes what is still to be done. */
export async function removeOpenTasks(
  query: Query,
  campaignContacts: readonly number[],
): Promise<RemovedTask[]> {
  const rows = await query(
    `delete from tasks using task_series series
     where series.id = tasks.scheduled_event_id and tasks.campaign_contact_id = any($1::int[])
       and tasks.status = 'incomplete'
     returning tasks.id, tasks.version, scheduled_event_id, owner_user_id, series.type`,
    [campaignContacts],
  );
  return rows as unknown as RemovedTask[];
}

interface RemovedEvent {
  readonly id: number;
  readonly version: number;
  readonly crm_user_id: number;
  readonly type: 'single' | 'recurrent';
}

/** Removes the events that no task belongs to any more. */
export async function removeEmptyEvents(
  query: Query,
  campaignContacts: readonly number[],
): Promise<RemovedEvent[]> {
  const rows = await query(
    `delete from task_series where campaign_contact_id = any($1::int[])
       and not exists (select from tasks where tasks.scheduled_event_id = task_series.id)
     returning id, version, crm_user_id, type`,
    [campaignContacts],
  );
  return rows as unknown as RemovedEvent[];
}

/** Series that would go on, or went on until now, with the number after their last occurrence. */
export async function continuingSeries(
  query: Query,
  campaignContacts: readonly number[],
  touched: readonly number[],
): Promise<{ readonly id: number; readonly next: number }[]> {
  const rows = await query(
    `select series.id, max(tasks.occurrence_index) + 1 as next
     from task_series series join tasks on tasks.scheduled_event_id = series.id
     where series.campaign_contact_id = any($1::int[]) and series.type = 'recurrent'
       and (series.extend_at is not null or series.id = any($2::int[]))
     group by series.id order by series.id`,
    [campaignContacts, touched],
  );
  return rows.map(({ id, next }) => ({ id: Number(id), next: Number(next) }));
}
