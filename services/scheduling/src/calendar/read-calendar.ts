import type { User } from '@crm/auth';
import type { Query } from '@crm/data';
import { reminderChannel } from '../task-alerts/channel.ts';
import { recurrenceOf } from '../task-series/recurrence.ts';
import {
  type OpenTaskRow,
  openTasksOf,
  type SeriesRow,
  type ShownRow,
  seriesAmong,
} from './calendar.queries.ts';
import type { CalendarContent, CalendarSeries } from './calendar-of.ts';
import type { OpenTask } from './task-components.ts';

/** What the calendar of a user shows. */
export async function readCalendar(query: Query, user: Pick<User, 'id'>): Promise<CalendarContent> {
  const rows = await openTasksOf(query, user);
  const changes = new Map(rows.map((row) => [row.scheduled_event_id, changesOf(row)]));
  const series = await seriesAmong(query, user, [...changes.keys()]);
  return { tasks: rows.map(taskOf), series: series.flatMap((row) => seriesOf(row, changes.get(row.id))) };
}

function taskOf(row: OpenTaskRow): OpenTask {
  return {
    id: row.id,
    version: row.version,
    index: row.occurrence_index,
    due_local: row.due_local === null ? null : Temporal.PlainDateTime.from(row.due_local),
    modified_at: momentOf(row.modified),
    scheduled_event_id: row.scheduled_event_id,
    ...shownOf(row),
  };
}

/** The version of a series is the number of all its changes. */
function changesOf({ series_changes, series_modified }: OpenTaskRow) {
  if (series_changes === null || series_modified === null) return undefined;
  return { version: series_changes, modified_at: momentOf(series_modified) };
}

function seriesOf(row: SeriesRow, changes: ReturnType<typeof changesOf>): CalendarSeries[] {
  const recurrence = recurrenceOf(row);
  if (!recurrence || !changes) return [];
  const defaults = { ...shownOf(row), ...changes, scheduled_event_id: row.id };
  return [{ id: row.id, recurrence, nextIndex: row.next_index, defaults }];
}

function shownOf(row: ShownRow) {
  const { description, notes, timezone, is_all_day, notify_assignee, action_type, created } = row;
  const reminds = notify_assignee && reminderChannel(action_type) !== undefined;
  return { description, notes, timezone, is_all_day, reminds, created_at: momentOf(created) };
}

const momentOf = (seconds: number) => Temporal.Instant.fromEpochMilliseconds(Math.round(seconds * 1000));
