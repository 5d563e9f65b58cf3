import { morning } from '../task-alerts/remind-at.ts';
import { type Component, type Line, textValue } from './lines.ts';
import { dayValue, localValue, momentValue } from './values.ts';

/** An open task as a calendar shows it. */
export interface OpenTask {
  readonly id: number;
  /** The number of its changes, or in a series of all changes of the series, so that no component is older than another. */
  readonly version: number;
  readonly scheduled_event_id: number;
  /** Its number in its scheduled event, from 0. */
  readonly index: number;
  readonly description: string;
  readonly notes: string | null;
  readonly due_local: Temporal.PlainDateTime | null;
  readonly timezone: string;
  readonly is_all_day: boolean;
  /** Whether the assignee gets a reminder. */
  readonly reminds: boolean;
  readonly created_at: Temporal.Instant;
  readonly modified_at: Temporal.Instant;
}

type Timed = Pick<OpenTask, 'timezone' | 'is_all_day'>;

/** Writes a task as a calendar event at its due time, or without one as a to-do. `more` are additional lines of an event. */
export function component(task: OpenTask, uid: string, more: readonly Line[] = []): Component {
  const due = dueLine(task);
  const lines: Line[] = [
    ['UID', `${uid}@crm`],
    ['DTSTAMP', momentValue(task.modified_at)],
    ['CREATED', momentValue(task.created_at)],
    ['LAST-MODIFIED', momentValue(task.modified_at)],
    ['SEQUENCE', String(task.version - 1)],
    ['SUMMARY', textValue(firstLine(task.description))],
    ['DESCRIPTION', textValue(wholeText(task))],
  ];
  if (!due) return { name: 'VTODO', lines: [...lines, ['STATUS', 'NEEDS-ACTION']] };
  return {
    name: 'VEVENT',
    // The due time of a task does not make the user busy.
    lines: [...lines, due, ...more, ['TRANSP', 'TRANSPARENT']],
    ...(task.reminds && { parts: [alarm(task)] }),
  };
}

/** The due time of a task; undefined if it has none. */
function dueLine({ due_local, ...task }: Timed & Pick<OpenTask, 'due_local'>): Line | undefined {
  return due_local ? timeLine('DTSTART', task, due_local) : undefined;
}

/** Excludes an occurrence from a recurring calendar event. */
export const excluded = (task: Timed, local: Temporal.PlainDateTime): Line => timeLine('EXDATE', task, local);

/** Names the occurrence of a recurring calendar event that an exception replaces. */
export const recurrenceId = (task: Timed, local: Temporal.PlainDateTime): Line =>
  timeLine('RECURRENCE-ID', task, local);

/** All times of a task have the same form, because programs compare them as text. */
function timeLine(name: string, { is_all_day, timezone }: Timed, local: Temporal.PlainDateTime): Line {
  if (is_all_day) return [`${name};VALUE=DATE`, dayValue(local.toPlainDate())];
  if (timezone === 'UTC') return [name, `${localValue(local)}Z`];
  return [`${name};TZID=${timezone}`, localValue(local)];
}

/** The zone of a line, and the year of its time. */
export function zonedTime([name, value]: Line): { readonly zone: string; readonly year: number } | undefined {
  const zone = /;TZID=(.+)$/.exec(name)?.[1];
  return zone === undefined ? undefined : { zone, year: Number(value.slice(0, 4)) };
}

/** At the same time as the assignee's reminder: when the task is due, or in the morning of its day. */
function alarm({ is_all_day, description }: OpenTask): Component {
  const lines: Line[] = [
    ['ACTION', 'DISPLAY'],
    ['TRIGGER', is_all_day ? `PT${morning.hour}H` : 'PT0S'],
    ['DESCRIPTION', textValue(firstLine(description))],
  ];
  return { name: 'VALARM', lines };
}

const maxSummaryLength = 200;

function firstLine(text: string): string {
  const [line = ''] = text.trim().split(/\r\n?|\n/, 1);
  const characters = [...line];
  return characters.length > maxSummaryLength
    ? `${characters.slice(0, maxSummaryLength - 1).join('')}…`
    : line;
}

const wholeText = ({ description, notes }: OpenTask) =>
  [description.trim(), notes?.trim()].filter(Boolean).join('\n\n');
