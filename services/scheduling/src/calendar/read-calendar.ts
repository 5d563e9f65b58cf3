import type { User } from '@crm/auth';
import type { Query, Row } from '@crm/data';
import { reminderChannel } from '../task-alerts/channel.ts';
import { recurrenceOf } from '../task-series/recurrence.ts';
import type { ActionType } from '../tasks/action-type.api.ts';
import { openTasksOf, seriesAmong } from './calendar.queries.ts';
import type { CalendarContent, CalendarSeries } from './calendar-of.ts';
import type { OpenTask } from './task-components.ts';

/** What a user's calendar shows. */
export async function readCalendar(query: Query, user: Pick<User, 'id'>): Promise<CalendarContent> {
  const tasks = (await openTasksOf(query, user)).map(taskOf);
  const events = [...new Set(tasks.map(({ scheduled_event_id }) => scheduled_event_id))];
  const series = (await seriesAmong(query, user, events)).flatMap(seriesOf);
  return { tasks, series };
}

function taskOf(row: Row): OpenTask {
  return {
    id: Number(row.id),
    version: Number(row.version),
    index: Number(row.occurrence_index),
    due_local: row.due_local === null ? null : Temporal.PlainDateTime.from(String(row.due_local)),
    modified_at: momentOf(row.modified),
    scheduled_event_id: Number(row.scheduled_event_id),
    ...shownOf(row),
  };
}

function seriesOf(row: Row): CalendarSeries[] {
  const { rule, start_local, timezone } = row;
  const recurrence = recurrenceOf({
    rule: String(rule),
    start_local: String(start_local),
    timezone: String(timezone),
  });
  if (!recurrence) return [];
  const usual = { ...shownOf(row), scheduled_event_id: Number(row.id) };
  return [{ id: Number(row.id), recurrence, nextIndex: Number(row.next_index), usual }];
}

function shownOf(row: Row) {
  return {
    description: String(row.description),
    notes: row.notes === null ? null : String(row.notes),
    timezone: String(row.timezone),
    is_all_day: row.is_all_day === true,
    reminds: row.notify_assignee === true && reminderChannel(row.action_type as ActionType) !== undefined,
    created_at: momentOf(row.created),
  };
}

const momentOf = (seconds: unknown) =>
  Temporal.Instant.fromEpochMilliseconds(Math.round(Number(seconds) * 1000));
