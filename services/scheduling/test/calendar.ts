import { readRule } from '@crm/recurrence';
import ICAL from 'ical.js';
import { type CalendarContent, type CalendarSeries, calendarOf } from '../src/calendar/calendar-of.ts';
import type { OpenTask } from '../src/calendar/task-components.ts';

const moment = Temporal.Instant.from('2026-01-02T03:04:05Z');
export const plain: OpenTask = {
  id: 1,
  version: 1,
  scheduled_event_id: 1,
  index: 0,
  description: 'Call the Does',
  notes: null,
  due_local: Temporal.PlainDateTime.from('2026-03-07T09:00:00'),
  timezone: 'America/New_York',
  is_all_day: false,
  reminds: false,
  created_at: moment,
  modified_at: moment,
};

const thisYear = 2026;
export const textOf = (content: CalendarContent) => calendarOf(content, thisYear);

/** Reads a calendar with another implementation. */
export function read(text: string) {
  const calendar = new ICAL.Component(ICAL.parse(text));
  for (const zone of calendar.getAllSubcomponents('vtimezone')) {
    const known = new ICAL.Timezone(zone);
    ICAL.TimezoneService.remove(known.tzid);
    ICAL.TimezoneService.register(known);
  }
  const all = calendar.getAllSubcomponents('vevent').map((one) => new ICAL.Event(one));
  const events = all.filter((one) => !one.isRecurrenceException());
  for (const exception of all.filter((one) => one.isRecurrenceException()))
    events.find(({ uid }) => uid === exception.uid)?.relateException(exception);
  return { calendar, events, todos: calendar.getAllSubcomponents('vtodo') };
}

/** The first occurrences of a calendar event, with their moments and summaries. */
export function occurrencesOf(event: ICAL.Event, limit: number): [string, string][] {
  const found: [string, string][] = [];
  const times = event.iterator();
  for (let time = times.next(); time && found.length < limit; time = times.next()) {
    const { startDate, item } = event.getOccurrenceDetails(time);
    found.push([startDate.toJSDate().toISOString(), item.summary]);
  }
  return found;
}

export function seriesOf(rule: string, start: string, facts: Partial<OpenTask> = {}): CalendarSeries {
  const { version, description, notes, is_all_day, reminds, created_at, modified_at } = {
    ...plain,
    ...facts,
  };
  const timezone = facts.timezone ?? plain.timezone;
  const reading = readRule(rule);
  if (!reading.rule) throw new Error(reading.refusal);
  const recurrence = { rule: reading.rule, start: Temporal.PlainDateTime.from(start), zone: timezone };
  const defaults = {
    scheduled_event_id: 9,
    version,
    description,
    notes,
    is_all_day,
    reminds,
    created_at,
    modified_at,
    timezone,
  };
  return { id: 9, recurrence, nextIndex: 4, defaults };
}

export const at = (index: number, due: string, more: Partial<OpenTask> = {}): OpenTask => ({
  ...plain,
  id: 100 + index,
  scheduled_event_id: 9,
  index,
  due_local: Temporal.PlainDateTime.from(due),
  ...more,
});
