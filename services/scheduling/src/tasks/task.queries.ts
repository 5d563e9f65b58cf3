import type { User } from '@crm/auth';
import { type Query, readModel } from '@crm/data';
import { Binds, sqlOfRule } from '@crm/query';
import { TaskView } from './task.api.ts';
import { visibleTasks } from './task.policy.ts';

/** Of no task by now; PostgreSQL takes no constant to sort by. */
const never = '(tasks.id is null)';

export const taskRows = readModel(TaskView, {
  table: 'tasks',
  visible: visibleTasks,
  special: {
    reminder_type: { sql: 'tasks.action_type' },
    due_at: { sql: 'tasks.due_at' },
    due_at_utc: { sql: 'tasks.due_at' },
    is_important: { sql: never },
    is_public: { sql: never },
  },
  nested: {
    reminder_type: 'tasks.action_type',
    due_at: `replace(tasks.due_local, 'T', ' ')`,
    due_at_utc: `to_char(tasks.due_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
    is_important: never,
    is_public: never,
    due_end_at: 'null',
    category: 'null',
    folder: 'null',
  },
});

/** The event that a task belongs to at this moment, if the user may see the task. */
export async function eventOfTask(query: Query, user: User, id: number): Promise<number | undefined> {
  const binds = new Binds();
  const task = `tasks.id = ${binds.add(id)}::int`;
  const sight = sqlOfRule(visibleTasks(user), taskRows.columns, binds);
  const [row] = await query(`select scheduled_event_id from tasks where ${task} and ${sight}`, binds.values);
  return row && Number(row.scheduled_event_id);
}

/** Takes a contact that is gone off every task, and off the series that would give it to more. */
export async function forgetContact(query: Query, contactId: number): Promise<void> {
  // In the order in which changes take their locks.
  await query('update task_series set contact_id = null, version = version + 1 where contact_id = $1::int', [
    contactId,
  ]);
  await query('update tasks set contact_id = null, version = version + 1 where contact_id = $1::int', [
    contactId,
  ]);
}
