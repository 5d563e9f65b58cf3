import { instantOf, isDay, localIn, type Occurrence, occurrences } from '@crm/recurrence';
import type { Recurrence } from '../task-series/recurrence.ts';
import { type Component, type Line, written } from './lines.ts';
import { repetition } from './repetition.ts';
import { component, excluded, type OpenTask, recurrenceId, zonedTime } from './task-components.ts';
import { timeZoneComponent } from './time-zone.ts';

/** A recurring task, with the values of its unchanged occurrences. */
export interface CalendarSeries {
  readonly id: number;
  readonly recurrence: Recurrence;
  /** The number of the first occurrence that was not created or not read. */
  readonly nextIndex: number;
  /** The values that an occurrence inherits from the series. */
  readonly defaults: Omit<OpenTask, 'id' | 'index' | 'due_local'>;
}

/** The contents of a user's calendar: open tasks, and the series whose future occurrences the user will see as well. */
export interface CalendarContent {
  readonly tasks: readonly OpenTask[];
  readonly series: readonly CalendarSeries[];
}

/**
 * Writes open tasks as a calendar (RFC 5545). A recurring task is one calendar event with its rule, starting with its first open
 * occurrence. Later occurrences that were closed or removed are excluded from it, and changed ones are exceptions. A task without
 * a due time is a separate to-do. The same content results in the same text for a year.
 */
export function calendarOf({ tasks, series }: CalendarContent, year: number): string {
  const lastYear = year + yearsAhead;
  const bySeries = Map.groupBy(tasks, ({ scheduled_event_id }) => scheduled_event_id);
  const recurring = series.flatMap((one) => recurringEvents(one, bySeries.get(one.id) ?? [], lastYear));
  const recurringIds = new Set(series.map(({ id }) => id));
  const single = tasks.filter(({ scheduled_event_id }) => !recurringIds.has(scheduled_event_id));
  const parts = [...recurring, ...single.map((task) => alone(task, lastYear))];
  return written({ name: 'VCALENDAR', lines: head, parts: [...zonesOf(parts, lastYear), ...parts] });
}

/**
 * How many years of a zone's clock changes are written. Due times may be thousands of years ahead, after thousands of changes:
 * later ones are written in UTC.
 */
const yearsAhead = 10;

const alone = (task: OpenTask, lastYear: number) =>
  component(inWrittenYears(task, lastYear), `task-${task.id}`);

function inWrittenYears(task: OpenTask, lastYear: number): OpenTask {
  const { due_local, timezone } = task;
  if (!due_local || !isBeyond(due_local, task, lastYear)) return task;
  return { ...task, timezone: 'UTC', due_local: localIn(instantOf(due_local, timezone), 'UTC') };
}

const isBeyond = (
  local: Temporal.PlainDateTime,
  { is_all_day, timezone }: Pick<OpenTask, 'is_all_day' | 'timezone'>,
  lastYear: number,
) => !is_all_day && timezone !== 'UTC' && local.year > lastYear;

const head: readonly Line[] = [
  ['VERSION', '2.0'],
  ['PRODID', '-//CRM//Tasks//EN'],
  ['CALSCALE', 'GREGORIAN'],
  ['METHOD', 'PUBLISH'],
  ['NAME', 'Tasks'],
  ['X-WR-CALNAME', 'Tasks'],
  ['REFRESH-INTERVAL;VALUE=DURATION', 'PT1H'],
  ['X-PUBLISHED-TTL', 'PT1H'],
];

function recurringEvents(series: CalendarSeries, open: readonly OpenTask[], lastYear: number): Component[] {
  const [first] = open.toSorted((a, b) => a.index - b.index);
  if (!first) return [];
  const { recurrence, defaults } = series;
  const { known, rule } = fromFirst(series, first);
  const [start] = known;
  // The rule of a series applies in its zone.
  if (!start || isBeyond(start.local, defaults, lastYear)) return open.map((task) => alone(task, lastYear));
  const dated = open.filter(({ due_local }) => due_local !== null);
  const undated = open.filter(({ due_local }) => due_local === null);
  const byIndex = new Map(dated.map((task) => [task.index, task]));
  const uid = `task-series-${series.id}`;
  const unchanged = (at: Occurrence): OpenTask => ({
    ...first,
    ...defaults,
    index: at.index,
    due_local: at.local,
  });
  const missing = known.filter(({ index }) => !byIndex.has(index));
  const changed = known.flatMap((at) => {
    const task = byIndex.get(at.index);
    return task && differs(task, unchanged(at)) ? [{ task, at }] : [];
  });
  return [
    component(unchanged(start), uid, [
      ['RRULE', repetition({ ...recurrence, rule }, defaults.is_all_day)],
      ...missing.map(({ local }) => excluded(defaults, local)),
    ]),
    ...changed.map(({ task, at }) =>
      component(inWrittenYears({ ...task, version: defaults.version }, lastYear), uid, [
        recurrenceId(defaults, at.local),
      ]),
    ),
    ...undated.map((task) => alone(task, lastYear)),
  ];
}

/**
 * The occurrences of a series from the first open one on, and the rule that continues there. An open task that was never changed
 * is due at its regular time, so that the occurrences before it need not be computed: a daily task has hundreds of them after
 * two years.
 */
function fromFirst({ recurrence, nextIndex }: CalendarSeries, first: OpenTask) {
  const { rule, start, zone } = recurrence;
  const { version, index, due_local, timezone } = first;
  const isUnchanged = version === 1 && timezone === zone;
  const rest = { ...rule, count: rule.count === null ? null : rule.count - index };
  if (isUnchanged && due_local && index > 0 && index < nextIndex && (rest.count ?? 1) > 0) {
    const from = isDay(start) ? due_local.toPlainDate() : due_local;
    const known = occurrences(rest, from, zone, { limit: nextIndex - index });
    return { known: known.map((at) => ({ ...at, index: at.index + index })), rule: rest };
  }
  return { known: occurrences(rule, start, zone, { limit: nextIndex }).slice(index), rule: rest };
}

/** Whether a reader would see a difference. */
function differs(task: OpenTask, unchanged: OpenTask): boolean {
  const shown = ({ due_local, description, notes, is_all_day, reminds, timezone }: OpenTask) =>
    JSON.stringify([due_local, description, notes, is_all_day, reminds, timezone]);
  return shown(task) !== shown(unchanged);
}

/**
 * Defines the zones that the times in components refer to, each from before the first of these times (RFC 5545, section 3.6.5).
 */
function zonesOf(components: readonly Component[], lastYear: number): Component[] {
  const times = components.flatMap(({ lines }) => lines.flatMap((line) => zonedTime(line) ?? []));
  const byZone = Map.groupBy(times, ({ zone }) => zone);
  return [...byZone].sort().map(([zone, those]) => {
    const years = those.map(({ year }) => year);
    return timeZoneComponent(zone, Math.min(...years, lastYear) - 1, lastYear);
  });
}
