import {
  instantOf,
  isBefore,
  localIn,
  type Occurrence,
  occurrences,
  type Rule,
  readRule,
} from '@crm/recurrence';
import type { z } from 'zod';
import { type CommunicationType, communicationTypes } from '../communications/communication-type.api.ts';
import type { Recurrence } from '../task-series/recurrence.ts';
import { dueYears } from '../tasks/task.api.ts';
import type { PinnedAction } from './enrolment.api.ts';
import { type Birthday, readBirthday } from './read-birthday.ts';

export type Action = z.output<typeof PinnedAction>;

/** A single time, or the first time of a recurring action with its recurrence. */
export interface When {
  readonly first: Pick<Occurrence, 'local' | 'instant'>;
  readonly recurrence?: Recurrence;
}

export interface Facts {
  readonly start: Temporal.Instant;
  /** The zone of times of day: IANA name. */
  readonly zone: string;
  /** As written in the contact. */
  readonly birthday: string | null;
}

/** Why an action creates nothing; caught in `schedule`. */
export class Skipped extends Error {}

const reasons = {
  incomplete: 'The action has no time.',
  past: 'The time is before the start.',
  noBirthday: 'The contact has no birthday.',
  unreadable: 'The birthday of the contact cannot be read as a date.',
  neverReached: 'The recurrence rule never occurs on or after its start.',
  onlyTasksRecur: 'Only tasks can recur.',
  tooFar: 'The time is too far in the future.',
};

export function isCommunication(type: Action['type']): type is CommunicationType {
  return communicationTypes.some((one) => one === type);
}

/** When an action happens. Throws `Skipped` if it never does. */
export function whenOf(action: Action, facts: Facts): When {
  switch (action.timing_type) {
    case 'Exact Date and Time':
      return { first: at(exactly(action, facts), facts) };
    case 'Delay by Minutes':
      return { first: at(afterSeconds(action, facts), facts) };
    case 'Delay by Day and Time':
      return { first: at(instantOf(onDay(action, facts), facts.zone), facts) };
    case 'Recurring':
      if (isCommunication(action.type)) throw new Skipped(reasons.onlyTasksRecur);
      return recurring(action, onDay(action, facts), facts);
  }
}

function exactly({ dispatch_datetime }: Action, { start }: Facts): Temporal.Instant {
  const moment = Temporal.Instant.from(needed(dispatch_datetime));
  if (isBefore(moment, start)) throw new Skipped(reasons.past);
  return moment;
}

function afterSeconds(action: Action, facts: Facts): Temporal.Instant {
  const seconds = needed(action.delay_by_seconds);
  const { start, zone } = facts;
  if (action.event_trigger_type === '1') return start.add({ seconds });
  const onBirthday = (day: Temporal.PlainDate) => instantOf(day.toPlainDateTime(), zone).add({ seconds });
  return onBirthday(firstDay(birthdaysOf(facts), onBirthday, start));
}

/** The local time at which an action happens, or from which it recurs. */
function onDay(action: Action, facts: Facts): Temporal.PlainDateTime {
  const delay = { days: daysWithin(needed(action.delay_by_days)) };
  const time = Temporal.PlainTime.from(needed(action.dispatch_time));
  const { zone, start } = facts;
  const bases = action.event_trigger_type === '1' ? daysFrom(today(facts)) : birthdaysOf(facts);
  const local = (base: Temporal.PlainDate) => base.add(delay).toPlainDateTime(time);
  return local(firstDay(bases, (base) => instantOf(local(base), zone), start));
}

function recurring(action: Action, local: Temporal.PlainDateTime, facts: Facts): When {
  const { zone } = facts;
  if (isOutOfRange(local)) throw new Skipped(reasons.tooFar);
  const { rule: read, written, refusal } = readRule(needed(action.recurrence), local.toPlainTime());
  if (!read) throw new Skipped(`The recurrence rule ${refusal}.`);
  const rule = isOfLeapDay(action, local, facts) ? inEachFebruary(read) : read;
  const [first] = occurrences(rule, local, zone, { limit: 1 });
  if (!first) throw new Skipped(reasons.neverReached);
  return { first, recurrence: { rule, start: local, zone, written } };
}

/** Whether a time that follows from a birthday stands for 29 February. */
function isOfLeapDay(
  { event_trigger_type, delay_by_days }: Action,
  { month, day }: Temporal.PlainDateTime,
  facts: Facts,
): boolean {
  if (event_trigger_type === '1' || month !== 2) return false;
  const birthday = birthdayIn(facts);
  return day === 29 || (birthday.month === 2 && birthday.day === 29 && delay_by_days === 0);
}

/** A yearly rule without a day takes it from the start, so that one from 29 February would leave out three of four years. */
function inEachFebruary(rule: Rule): Rule {
  const { frequency, byMonth, byWeekNo, byYearDay, byMonthDay, byDay } = rule;
  const named = [byWeekNo, byYearDay, byMonthDay, byDay, byMonth.filter((month) => month !== 2)];
  if (frequency !== 'YEARLY' || named.some(({ length }) => length > 0)) return rule;
  return { ...rule, byMonth: [2], byMonthDay: [-1] };
}

/** The first of these days on which the time is not before the start. */
function firstDay(
  days: Iterable<Temporal.PlainDate>,
  on: (day: Temporal.PlainDate) => Temporal.Instant,
  start: Temporal.Instant,
): Temporal.PlainDate {
  for (const day of days) if (!isBefore(on(day), start)) return day;
  throw new Skipped(reasons.tooFar);
}

const today = ({ start, zone }: Facts) => localIn(start, zone).toPlainDate();

function* daysFrom(first: Temporal.PlainDate): Generator<Temporal.PlainDate> {
  for (let day = first; ; day = day.add({ days: 1 })) yield day;
}

/** The birthdays on and after the day of the start. */
function* birthdaysOf(facts: Facts): Generator<Temporal.PlainDate> {
  const { month, day } = birthdayIn(facts);
  const first = today(facts);
  for (let year = first.year; ; year++) {
    const birthday = Temporal.PlainDate.from({ year, month, day }, { overflow: 'constrain' });
    if (Temporal.PlainDate.compare(birthday, first) >= 0) yield birthday;
  }
}

function birthdayIn({ birthday }: Facts): Birthday {
  if (birthday === null || birthday.trim() === '') throw new Skipped(reasons.noBirthday);
  const read = readBirthday(birthday);
  if (!read) throw new Skipped(reasons.unreadable);
  return read;
}

/** Beyond any four-digit year, and still within the range of Temporal. */
const maxDays = 3_700_000;

function daysWithin(days: number): number {
  if (days > maxDays) throw new Skipped(reasons.tooFar);
  return days;
}

/** Nothing happens in a year in which no task may be due. */
const isOutOfRange = ({ year }: Temporal.PlainDateTime) => year < dueYears.first || year > dueYears.last;

/** A moment with its local time, which differs from the requested one if the clocks skip that. */
function at(instant: Temporal.Instant, { zone }: Facts): When['first'] {
  const local = localIn(instant, zone);
  if (isOutOfRange(local)) throw new Skipped(reasons.tooFar);
  return { instant, local };
}

function needed<Value>(value: Value | null): Value {
  if (value === null) throw new Skipped(reasons.incomplete);
  return value;
}
