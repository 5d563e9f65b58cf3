import type { Query, Row } from '@crm/data';

/** A contact that is in a campaign. */
export interface Enrolment {
  readonly campaign_contact_id: number;
  readonly campaign_id: number;
  readonly contact_id: number;
  readonly user_id: number;
}

/** What was made for a contact in a campaign. */
export interface Counts {
  readonly communications: number;
  readonly tasks: number;
}

/** Notes an enrolment, or tells what was made for it before. Of two at once the second waits for the first. */
export async function enter(
  query: Query,
  enrolment: Enrolment,
  made: Counts,
  now: Date,
): Promise<Counts | undefined> {
  const { campaign_contact_id, campaign_id, contact_id, user_id } = enrolment;
  const [entered] = await query(
    `insert into enrolments (campaign_contact_id, campaign_id, contact_id, user_id, communications, tasks, created_at)
     values ($1::int, $2::int, $3::int, $4::int, $5::int, $6::int, $7::timestamptz)
     on conflict do nothing returning campaign_contact_id`,
    [
      campaign_contact_id,
      campaign_id,
      contact_id,
      user_id,
      made.communications,
      made.tasks,
      now.toISOString(),
    ],
  );
  if (entered) return undefined;
  const [row] = await query(
    'select communications, tasks from enrolments where campaign_contact_id = $1::int',
    [campaign_contact_id],
  );
  return { communications: Number(row?.communications), tasks: Number(row?.tasks) };
}

/** What comes to an end: a contact in a campaign, or all contacts in one. */
export type Stopped = { readonly campaign_contact_id: number } | { readonly campaign_id: number };

const columnAndId = (stopped: Stopped) =>
  'campaign_id' in stopped
    ? (['campaign_id', stopped.campaign_id] as const)
    : (['campaign_contact_id', stopped.campaign_contact_id] as const);

export async function removeEnrolments(query: Query, stopped: Stopped): Promise<Enrolment[]> {
  const [column, id] = columnAndId(stopped);
  const rows = await query(
    `delete from enrolments where ${column} = $1::int
     returning campaign_contact_id, campaign_id, contact_id, user_id`,
    [id],
  );
  return rows as unknown as Enrolment[];
}

/** Removes what has still to be sent, and tells how many. What is being handed over at this moment stays. */
export async function removeUnsent(query: Query, stopped: Stopped): Promise<number> {
  const [column, id] = columnAndId(stopped);
  const rows = await query(
    `with held as (
       select id from communications where ${column} = $1::int and is_active
         and (dispatch_state in ('Scheduled', 'Failed', 'Dropped') or dispatch_state = 'Sending' and begun_at is null)
       order by id for update
     )
     delete from communications using held where communications.id = held.id returning communications.id`,
    [id],
  );
  return rows.length;
}

/** Removes all that a contact was sent or has still to get. */
export async function removeCommunicationsTo(query: Query, contactId: number): Promise<void> {
  await query(
    `with held as (select id from communications where contact_id = $1::int order by id for update)
     delete from communications using held where communications.id = held.id`,
    [contactId],
  );
}

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
export async function goingOn(
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
  return rows.map(nextOf);
}

const nextOf = ({ id, next }: Row) => ({ id: Number(id), next: Number(next) });
