import type { User } from '@crm/auth';
import type { Query } from '@crm/data';
import { instantOf, localIn } from '@crm/recurrence';
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

/** The contents of a user's calendar. */
export async function readCalendar(query: Query, user: Pick<User, 'id'>): Promise<CalendarContent> {
  const rows = await openTasksOf(query, user);
  const byEvent = Map.groupBy(rows, (row) => row.scheduled_event_id);
  const series = await seriesAmong(query, user, [...byEvent.keys()]);
  return {
    tasks: rows.map(taskOf),
    series: series.flatMap((row) => seriesOf(row, byEvent.get(row.id) ?? [])),
  };
}

function taskOf(row: OpenTaskRow): OpenTask {
  return {
    id: row.id,
    version: row.version,
    index: row.occurrence_index,
    modified_at: momentOf(row.modified),
    scheduled_event_id: row.scheduled_event_id,
    ...shownOf(row),
    ...timeOf(row),
  };
}

/**
 * When a task is due, in its zone. In a calendar, a local time that occurs twice is the first of the two, so the second one is
 * in UTC.
 */
function timeOf({ due_local, due, timezone, is_all_day }: OpenTaskRow) {
  if (due_local === null || due === null) return { due_local: null, timezone };
  const local = Temporal.PlainDateTime.from(due_local);
  // The local time is stored in whole seconds.
  const moment = momentOf(Math.floor(due));
  if (is_all_day || moment.equals(instantOf(local, timezone))) return { due_local: local, timezone };
  return { due_local: localIn(moment, 'UTC'), timezone: 'UTC' };
}

/** The version of a series is the number of all its changes. */
function changesOf({ series_changes, series_modified }: OpenTaskRow) {
  if (series_changes === null || series_modified === null) return undefined;
  return { version: series_changes, modified_at: momentOf(series_modified) };
}

function seriesOf(row: SeriesRow, open: readonly OpenTaskRow[]): CalendarSeries[] {
  const recurrence = recurrenceOf(row);
  const [first] = open;
  const changes = first && changesOf(first);
  if (!recurrence || !changes) return [];
  const defaults = { ...shownOf(row), ...changes, scheduled_event_id: row.id };
  return [{ id: row.id, recurrence, nextIndex: nextIndexOf(row, first, open), defaults }];
}

/** The rule shows occurrences that were not read, like those that are not created yet. */
function nextIndexOf(
  { next_index }: SeriesRow,
  { open_occurrences }: OpenTaskRow,
  open: readonly OpenTaskRow[],
): number {
  if (open.length === open_occurrences) return next_index;
  return Math.max(...open.map((row) => row.occurrence_index)) + 1;
}

function shownOf(row: ShownRow) {
  const { description, notes, timezone, is_all_day, notify_assignee, action_type, created } = row;
  const reminds = notify_assignee && reminderChannel(action_type) !== undefined;
  return { description, notes, timezone, is_all_day, reminds, created_at: momentOf(created) };
}

const momentOf = (seconds: number) => Temporal.Instant.fromEpochMilliseconds(Math.round(seconds * 1000));
