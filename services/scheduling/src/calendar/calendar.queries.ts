import type { User } from '@crm/auth';
import type { Query, Row } from '@crm/data';
import { Binds, sqlOfRule } from '@crm/query';
import { visibleTasks } from '../tasks/task.policy.ts';
import { taskRows } from '../tasks/task.queries.ts';

/** More open tasks than anybody looks at; of more the latest due are shown. */
const most = 5_000;

/** The open tasks that a user sees, each with what it belongs to. */
export function openTasksOf(query: Query, user: Pick<User, 'id'>): Promise<readonly Row[]> {
  const binds = new Binds();
  const sight = sqlOfRule(visibleTasks(user), taskRows.columns, binds);
  return query(
    `select tasks.id, tasks.version, tasks.scheduled_event_id, tasks.occurrence_index, tasks.description, tasks.notes,
       tasks.due_local, tasks.timezone, tasks.is_all_day, tasks.action_type, tasks.notify_assignee,
       extract(epoch from tasks.created_at)::float8 as created, extract(epoch from tasks.modified_at)::float8 as modified
     from tasks where tasks.status = 'incomplete' and ${sight}
     order by tasks.due_at desc nulls last, tasks.id limit ${most}`,
    binds.values,
  );
}

/** Those of the events that recur and whose occurrences to come are the user's as well. */
export function seriesAmong(
  query: Query,
  { id }: Pick<User, 'id'>,
  events: readonly number[],
): Promise<readonly Row[]> {
  return query(
    `select id, rule, start_local, timezone, next_index, action_type, description, notes, is_all_day, notify_assignee,
       extract(epoch from created_at)::float8 as created
     from task_series where id = any($1::int[]) and type = 'recurrent'
       and (crm_user_id = $2::int or assigned_user_id = $2::int)
     order by id`,
    [events, id],
  );
}
