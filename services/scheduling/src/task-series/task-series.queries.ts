import { type Query, queryIds, queryRow, queryRows } from '@crm/data';
import { z } from 'zod';

/** The columns that an occurrence copies from its series. */
const inherited =
  'campaign_contact_id, assigned_user_id, contact_id, action_type, description, notes, timezone, is_all_day, notify_assignee, category_id, cause';

const inheritedOfSeries = inherited.replaceAll(/\w+/g, (column) => `series.${column}`);

/** The number of an occurrence in its series, and when it is due: in local time, and as a moment. */
export interface OccurrenceRow {
  readonly index: number;
  readonly due_local: string;
  readonly due_at: string;
}

interface NewOccurrences {
  readonly series: number;
  readonly occurrences: readonly OccurrenceRow[];
}

/** Adds open occurrences to series, with everything that they inherit. */
export async function addOccurrences(
  query: Query,
  added: readonly NewOccurrences[],
  now: Date,
): Promise<void> {
  const rows = added.flatMap(({ series, occurrences }) => occurrences.map((row) => ({ series, ...row })));
  await query(
    `insert into tasks (scheduled_event_id, owner_user_id, occurrence_index, due_local, due_at, status,
       created_at, modified_at, ${inherited})
     select series.id, series.crm_user_id, occurrence.index, occurrence.due_local, occurrence.due_at, 'incomplete',
       $2::timestamptz, $2::timestamptz, ${inheritedOfSeries}
     from task_series series
     join jsonb_to_recordset($1::jsonb)
       occurrence (series integer, index integer, due_local text, due_at timestamptz)
       on occurrence.series = series.id
     order by occurrence.series, occurrence.index`,
    [JSON.stringify(rows), now.toISOString()],
  );
}

/** Turns tasks into occurrences of a series, with everything that they inherit. Their status is kept. */
export async function moveOccurrences(
  query: Query,
  seriesId: number,
  occurrences: readonly (OccurrenceRow & { readonly id: number })[],
  now: Date,
): Promise<void> {
  await query(
    `update tasks set scheduled_event_id = series.id, occurrence_index = occurrence.index,
       due_local = occurrence.due_local, due_at = occurrence.due_at, modified_at = $3::timestamptz,
       version = tasks.version + 1, (${inherited}) = row (${inheritedOfSeries})
     from task_series series,
       jsonb_to_recordset($2::jsonb) occurrence (id integer, index integer, due_local text, due_at timestamptz)
     where series.id = $1::int and tasks.id = occurrence.id`,
    [seriesId, JSON.stringify(occurrences), now.toISOString()],
  );
}

/** Turns tasks into occurrences of a series, and changes nothing else in them. */
export async function keepOccurrences(
  query: Query,
  seriesId: number,
  kept: readonly { readonly id: number; readonly index: number }[],
): Promise<void> {
  await query(
    `update tasks set scheduled_event_id = $1::int, occurrence_index = occurrence.index, version = version + 1
     from jsonb_to_recordset($2::jsonb) occurrence (id integer, index integer) where tasks.id = occurrence.id`,
    [seriesId, JSON.stringify(kept)],
  );
}

/** Gives each of these tasks a separate scheduled event, with the origin of its series. */
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

const Occurrence = z.object({
  id: z.int(),
  index: z.int(),
  isOpen: z.boolean(),
  assigned_user_id: z.int().nullable(),
});

/** The occurrences of a series from a number on, locked until the transaction ends. */
export async function lockOccurrences(query: Query, seriesId: number, from: number) {
  return queryRows(
    query,
    Occurrence,
    `select id, occurrence_index as index, status = 'incomplete' as "isOpen", assigned_user_id from tasks
     where scheduled_event_id = $1::int and occurrence_index >= $2::int order by id for update`,
    [seriesId, from],
  );
}

export async function removeTasks(query: Query, ids: readonly number[]): Promise<void> {
  await query('delete from tasks where id = any($1::int[])', [ids]);
}

const OccurrenceCounts = z.object({ total: z.int(), open: z.int() });

/** How many occurrences a series has, and how many of them are open. */
export function countOccurrences(query: Query, seriesId: number) {
  return queryRow(
    query,
    OccurrenceCounts,
    `select count(*)::int total, count(*) filter (where status = 'incomplete')::int open
     from tasks where scheduled_event_id = $1::int`,
    [seriesId],
  );
}

/** The id of the first occurrence of a series. */
export async function firstOccurrence(query: Query, seriesId: number): Promise<number> {
  const [first] = await queryIds(
    query,
    'select id from tasks where scheduled_event_id = $1::int order by occurrence_index limit 1',
    [seriesId],
  );
  if (first === undefined) throw new Error(`Series ${seriesId} has no occurrence.`);
  return first;
}

/**
 * A series that is due to be extended, locked until the transaction ends; series that another transaction has locked are skipped.
 * At the exact moment at which its next occurrence reaches the horizon, that one cannot be added yet.
 */
export async function lockDueSeries(query: Query, now: Date): Promise<number | undefined> {
  const [due] = await queryIds(
    query,
    `select id from task_series where extend_at < $1::timestamptz
     order by extend_at limit 1 for update skip locked`,
    [now.toISOString()],
  );
  return due;
}

/** Postpones a series that cannot be extended by ten minutes, with the reason. */
export async function postponeSeries(query: Query, id: number, now: Date, reason: string): Promise<void> {
  await query(
    `update task_series set problem = left($3::text, 500), extend_at = $2::timestamptz + interval '10 minutes'
     where id = $1::int`,
    [id, now.toISOString(), reason],
  );
}
