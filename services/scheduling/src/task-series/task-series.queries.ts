import type { Query } from '@crm/data';

/** What an occurrence has from its series. */
const inherited =
  'campaign_contact_id, assigned_user_id, contact_id, action_type, description, notes, timezone, is_all_day, notify_assignee, category_id';

const inheritedOf = (series: string) => inherited.replaceAll(/\w+/g, (column) => `${series}.${column}`);

/** A place of an occurrence in its series, and when it is: on the local, and as a moment. */
export interface Place {
  readonly index: number;
  readonly due_local: string;
  readonly due_at: string;
}

/** Occurrences that are to be there, and of which series. */
export interface Made {
  readonly series: number;
  readonly places: readonly Place[];
}

/** Adds open occurrences of series, with all that they inherit. */
export async function addOccurrences(query: Query, made: readonly Made[], now: Date): Promise<void> {
  const places = made.flatMap(({ series, places }) => places.map((place) => ({ series, ...place })));
  await query(
    `insert into tasks (scheduled_event_id, owner_user_id, occurrence_index, due_local, due_at, status,
       created_at, modified_at, ${inherited})
     select series.id, series.crm_user_id, place.index, place.due_local, place.due_at, 'incomplete',
       $2::timestamptz, $2::timestamptz, ${inheritedOf('series')}
     from task_series series
     join jsonb_to_recordset($1::jsonb) place (series integer, index integer, due_local text, due_at timestamptz)
       on place.series = series.id
     order by place.series, place.index`,
    [JSON.stringify(places), now.toISOString()],
  );
}

/** Makes tasks occurrences of a series, with all that they inherit; their state stays. */
export async function moveOccurrences(
  query: Query,
  seriesId: number,
  places: readonly (Place & { readonly id: number })[],
  now: Date,
): Promise<void> {
  await query(
    `update tasks set scheduled_event_id = series.id, occurrence_index = place.index, due_local = place.due_local,
       due_at = place.due_at, modified_at = $3::timestamptz, version = tasks.version + 1,
       (${inherited}) = row (${inheritedOf('series')})
     from task_series series,
       jsonb_to_recordset($2::jsonb) place (id integer, index integer, due_local text, due_at timestamptz)
     where series.id = $1::int and tasks.id = place.id`,
    [seriesId, JSON.stringify(places), now.toISOString()],
  );
}

/** Makes tasks occurrences of a series, and leaves them as they are in all else. */
export async function keepOccurrences(
  query: Query,
  seriesId: number,
  kept: readonly { readonly id: number; readonly index: number }[],
): Promise<void> {
  await query(
    `update tasks set scheduled_event_id = $1::int, occurrence_index = place.index, version = version + 1
     from jsonb_to_recordset($2::jsonb) place (id integer, index integer) where tasks.id = place.id`,
    [seriesId, JSON.stringify(kept)],
  );
}

/** Gives each of these tasks an event of its own, for what their series was for. */
export async function releaseTasks(query: Query, taskIds: readonly number[], now: Date): Promise<void> {
  await query(
    `with alone as (
       select tasks.id, owner_user_id, due_at, series.action, series.campaign_contact_id,
         nextval(pg_get_serial_sequence('task_series', 'id'))::int event_id
       from tasks join task_series series on series.id = tasks.scheduled_event_id
       where tasks.id = any($1::int[])
     ), events as (
       insert into task_series (id, crm_user_id, action, campaign_contact_id, type, single_due_at,
         created_at, updated_at)
       select event_id, owner_user_id, action, campaign_contact_id, 'single', due_at,
         $2::timestamptz, $2::timestamptz from alone
       returning id
     )
     update tasks set scheduled_event_id = event_id, occurrence_index = 0, version = version + 1
     from alone join events on events.id = event_id where tasks.id = alone.id`,
    [taskIds, now.toISOString()],
  );
}

/** The occurrences of a series from a number on, held until the transaction ends. */
export async function holdOccurrences(query: Query, seriesId: number, from: number) {
  const rows = await query(
    `select id, occurrence_index, status from tasks
     where scheduled_event_id = $1::int and occurrence_index >= $2::int order by id for update`,
    [seriesId, from],
  );
  return rows.map(({ id, occurrence_index, status }) => ({
    id: Number(id),
    index: Number(occurrence_index),
    isOpen: status === 'incomplete',
  }));
}

export async function removeTasks(query: Query, ids: readonly number[]): Promise<void> {
  await query('delete from tasks where id = any($1::int[])', [ids]);
}

/** Whether a series has any occurrence, and how many of them are open. */
export async function countOccurrences(query: Query, seriesId: number) {
  const [row] = await query(
    `select count(*)::int total, count(*) filter (where status = 'incomplete')::int open
     from tasks where scheduled_event_id = $1::int`,
    [seriesId],
  );
  return { total: Number(row?.total), open: Number(row?.open) };
}

/** The first task of a series. */
export async function firstOccurrence(query: Query, seriesId: number): Promise<number> {
  const [row] = await query(
    'select id from tasks where scheduled_event_id = $1::int order by occurrence_index limit 1',
    [seriesId],
  );
  return Number(row?.id);
}

/**
 * A series that is due to be extended, held until the transaction ends; those that others hold are left to them. At the
 * very moment at which its next occurrence comes into view nothing can be made of it yet.
 */
export async function holdDueSeries(query: Query, now: Date): Promise<number | undefined> {
  const [row] = await query(
    `select id from task_series where extend_at < $1::timestamptz
     order by extend_at limit 1 for update skip locked`,
    [now.toISOString()],
  );
  return row && Number(row.id);
}
