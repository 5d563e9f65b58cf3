import type { User } from '@crm/auth';
import { type Query, queryRows } from '@crm/data';
import { Binds, sqlOfRule } from '@crm/query';
import { z } from 'zod';
import { actionType } from '../action-type.api.ts';
import { visibleTasks } from '../tasks/task.policy.ts';
import { taskRows } from '../tasks/task.queries.ts';

/** More open tasks than anybody looks at. If there are more, those with the latest due times are shown. */
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

/** What a calendar shows of a task and of a series alike. */
export type ShownRow = z.output<typeof Shown>;

const OpenTaskRow = Shown.extend({
  version: z.int(),
  scheduled_event_id: z.int(),
  occurrence_index: z.int(),
  due_local: z.string().nullable(),
  /** In seconds since 1970. */
  modified: z.number(),
});
export type OpenTaskRow = z.output<typeof OpenTaskRow>;

/** The open tasks that a user sees. */
export function openTasksOf(query: Query, user: Pick<User, 'id'>): Promise<OpenTaskRow[]> {
  const binds = new Binds();
  const visible = sqlOfRule(visibleTasks(user), taskRows.columns, binds);
  return queryRows(
    query,
    OpenTaskRow,
    `select tasks.id, tasks.version, tasks.scheduled_event_id, tasks.occurrence_index, tasks.description, tasks.notes,
       tasks.due_local, tasks.timezone, tasks.is_all_day, tasks.action_type, tasks.notify_assignee,
       extract(epoch from tasks.created_at)::float8 as created, extract(epoch from tasks.modified_at)::float8 as modified
     from tasks where tasks.status = 'incomplete' and ${visible}
     order by tasks.due_at desc nulls last, tasks.id limit ${maxTasks}`,
    binds.values,
  );
}

const SeriesRow = Shown.extend({ rule: z.string(), start_local: z.string(), next_index: z.int() });
export type SeriesRow = z.output<typeof SeriesRow>;

/** Those of the scheduled events that are series whose future occurrences the user will see as well. */
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
