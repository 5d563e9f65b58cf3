import type { User } from '@crm/auth';
import { type Query, queryRows } from '@crm/data';
import { Binds, sqlOfRule } from '@crm/query';
import { z } from 'zod';
import { actionType } from '../action-type.api.ts';
import { visibleTasks } from '../tasks/task.policy.ts';
import { taskRows } from '../tasks/task.queries.ts';

/** More open tasks than anybody would look at. */
const maxTasks = 5_000;

const Shown = z.object({
  id: z.int(),
  description: z.string(),
  notes: z.string().nullable(),
  timezone: z.string(),
  is_all_day: z.boolean(),
  action_type: actionType,
  notify_assignee: z.boolean(),
  /** In seconds since 1970. */
  created: z.number(),
});

/** The fields that a calendar shows for both a task and a series. */
export type ShownRow = z.output<typeof Shown>;

const OpenTaskRow = Shown.extend({
  version: z.int(),
  scheduled_event_id: z.int(),
  occurrence_index: z.int(),
  due_local: z.string().nullable(),
  /** In seconds since 1970. */
  due: z.number().nullable(),
  /** In seconds since 1970. */
  modified: z.number(),
  /** How many open occurrences of its scheduled event the user sees, including those that are not read. */
  open_occurrences: z.int(),
  /** How often the series and its occurrences were changed, and when last; null for a single task. */
  series_changes: z.int().nullable(),
  series_modified: z.number().nullable(),
});
export type OpenTaskRow = z.output<typeof OpenTaskRow>;

/**
 * The open tasks that a user sees. If there are too many, the first tasks of all scheduled events take precedence over the second
 * ones, and so on, so that no series displaces others; within each rank, earlier due times come first. The same statement reads
 * the numbers of changes of their series: read later, they could include a change that is not shown yet. They never decrease,
 * whatever happens to occurrences.
 */
export function openTasksOf(query: Query, user: Pick<User, 'id'>): Promise<OpenTaskRow[]> {
  const binds = new Binds();
  const visible = sqlOfRule(visibleTasks(user), taskRows.columns, binds);
  return queryRows(
    query,
    OpenTaskRow,
    `with numbered as (
       select tasks.*,
         row_number() over (partition by tasks.scheduled_event_id order by tasks.occurrence_index) as number,
         count(*) over (partition by tasks.scheduled_event_id)::int as open_occurrences
       from tasks where tasks.status = 'incomplete' and ${visible}
     ), shown as materialized (
       select * from numbered order by number, due_at nulls last, id limit ${maxTasks}
     )
     select shown.id, shown.version, shown.open_occurrences, shown.scheduled_event_id, shown.occurrence_index, shown.description, shown.notes,
       shown.due_local, extract(epoch from shown.due_at)::float8 as due, shown.timezone, shown.is_all_day, shown.action_type, shown.notify_assignee,
       extract(epoch from shown.created_at)::float8 as created, extract(epoch from shown.modified_at)::float8 as modified,
       series.changes as series_changes, extract(epoch from series.changed_at)::float8 as series_modified
     from shown left join lateral (
       select version + occurrence_changes as changes, greatest(updated_at, occurrences_changed_at) as changed_at
       from task_series where id = shown.scheduled_event_id and type = 'recurrent' limit 1
     ) series on true
     order by shown.due_at desc nulls last, shown.id`,
    binds.values,
  );
}

const SeriesRow = Shown.extend({ rule: z.string(), start_local: z.string(), next_index: z.int() });
export type SeriesRow = z.output<typeof SeriesRow>;

/** Of these scheduled events, the series whose future occurrences the user will see as well. */
export function seriesAmong(
  query: Query,
  { id }: Pick<User, 'id'>,
  scheduledEvents: readonly number[],
): Promise<SeriesRow[]> {
  return queryRows(
    query,
    SeriesRow,
    `select id, rule, start_local, timezone, next_index, action_type, description, notes, is_all_day, notify_assignee,
       extract(epoch from created_at)::float8 as created
     from task_series where id = any($1::int[]) and type = 'recurrent'
       and (crm_user_id = $2::int or assigned_user_id = $2::int)
     order by id`,
    [scheduledEvents, id],
  );
}
