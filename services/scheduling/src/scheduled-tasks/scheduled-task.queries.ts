import { isoText, objectOf, readModel, throughParent } from '@crm/data';
import { numberedActionTypes } from '../action-type.api.ts';
import { unlessRemoved } from '../tasks/reference.queries.ts';
import { visibleTasks } from '../tasks/task.policy.ts';
import { alerts } from '../tasks/task.queries.ts';
import { ScheduledEventView, ScheduledTaskView } from './scheduled-task.api.ts';

const eventRows = readModel(ScheduledEventView, {
  table: 'task_series',
  visible: throughParent,
  special: { scheduled_event_id: { sql: 'task_series.id' } },
  nested: { scheduled_event_id: 'task_series.id' },
});

const ofTask = 'task_series.id = tasks.scheduled_event_id';
const rule = `(select rule from task_series where ${ofTask})`;
const cases = numberedActionTypes.map((type, number) => `when '${type}' then ${number}`);
const reminderType = `case tasks.action_type ${cases.join(' ')} else 0 end`;

export const scheduledTaskRows = readModel(ScheduledTaskView, {
  table: 'tasks',
  visible: visibleTasks,
  special: {
    crm_user_id: { sql: 'tasks.owner_user_id' },
    due_at: { sql: 'tasks.due_at' },
    due_at_utc: { sql: 'tasks.due_at' },
    recurrence_rule: { sql: rule },
    reminder_type: { sql: reminderType },
    category_id: unlessRemoved,
    alert_state: { sql: alerts.alert_state },
    alert_reason: { sql: alerts.alert_reason },
  },
  nested: {
    event: objectOf(eventRows, ofTask, Object.keys(ScheduledEventView.shape)),
    crm_user_id: 'tasks.owner_user_id',
    due_at: 'tasks.due_local',
    due_at_utc: isoText('tasks.due_at'),
    recurrence_rule: rule,
    reminder_type: reminderType,
    category_id: unlessRemoved.sql,
    ...alerts,
  },
});
