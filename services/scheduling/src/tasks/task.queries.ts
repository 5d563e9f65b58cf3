import type { User } from '@crm/auth';
import { isoText, type Query, queryFirst, readModel, sqlOfVisible } from '@crm/data';
import { shownOutcome } from '@crm/dispatch';
import { Binds } from '@crm/query';
import { z } from 'zod';
import { TaskView } from './task.api.ts';
import { visibleTasks } from './task.policy.ts';

/** False for every task; PostgreSQL does not accept a constant in "order by". */
const never = '(tasks.id is null)';

const lastAlert = (sql: string) =>
  `(select ${sql} from task_alerts a where a.task_id = tasks.id order by a.id desc limit 1)`;

const { state, reason } = shownOutcome('a');
/** The outcome of the last alert of a task, in both versions. */
export const alerts = { alert_state: lastAlert(state), alert_reason: lastAlert(reason) };

export const taskRows = readModel(TaskView, {
  table: 'tasks',
  visible: visibleTasks,
  special: {
    reminder_type: { sql: 'tasks.action_type' },
    due_at: { sql: 'tasks.due_at' },
    due_at_utc: { sql: 'tasks.due_at' },
    is_important: { sql: never },
    is_public: { sql: never },
    due_end_at: { sql: 'null::timestamptz' },
    category: { sql: 'null::text' },
    folder: { sql: 'null::text' },
    alert_state: { sql: alerts.alert_state },
    alert_reason: { sql: alerts.alert_reason },
  },
  nested: {
    reminder_type: 'tasks.action_type',
    due_at: `replace(tasks.due_local, 'T', ' ')`,
    due_at_utc: isoText('tasks.due_at'),
    is_important: never,
    is_public: never,
    due_end_at: 'null',
    category: 'null',
    folder: 'null',
    ...alerts,
  },
});

const ScheduledEvent = z.object({ scheduled_event_id: z.int() });

/** The current scheduled event of a task, if the user may see the task. */
export async function scheduledEventOf(query: Query, user: User, id: number): Promise<number | undefined> {
  const binds = new Binds();
  const task = `tasks.id = ${binds.add(id)}::int`;
  const visible = sqlOfVisible(taskRows, user, binds);
  const row = await queryFirst(
    query,
    ScheduledEvent,
    `select scheduled_event_id from tasks where ${task} and ${visible}`,
    binds.values,
  );
  return row?.scheduled_event_id;
}
