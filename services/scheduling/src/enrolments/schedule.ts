import { instantOf, localIn, type Occurrence, occurrences, readRule } from '@crm/recurrence';
import type { z } from 'zod';
import { type CommunicationType, communicationTypes } from '../communications/communication-type.api.ts';
import type { Course } from '../task-series/course.ts';
import { isBefore } from '../task-series/make-occurrences.ts';
import type { agentTaskTypes, PinnedAction } from './enrolment.api.ts';
import { type Birthday, readBirthday } from './read-birthday.ts';

export type Action = z.output<typeof PinnedAction>;
export type AgentTaskType = (typeof agentTaskTypes)[number];

/** A time of one, or the first of a series and how it goes on. */
interface When {
  readonly first: Pick<Occurrence, 'local' | 'instant'>;
  readonly course?: Course;
}

export interface Schedule {
  readonly communications: readonly {
    readonly action: Action;
    readonly type: CommunicationType;
    readonly send_at: Temporal.Instant;
  }[];
  readonly tasks: readonly ({ readonly action: Action; readonly type: AgentTaskType } & When)[];
  /** What nothing comes of, and why, in a sentence. */
  readonly skipped: readonly { readonly action: Action; readonly reason: string }[];
}

interface Facts {
  readonly start: Temporal.Instant;
  /** The zone of the walls on which times of day are read: IANA name. */
  readonly zone: string;
  /** As it is written at the contact. */
  readonly birthday: string | null;
}

/** Why an action comes to nothing; does not leave `schedule`. */
class Skipped extends Error {}

const reasons = {
  incomplete: 'It does not say when.',
  past: 'It was for a moment before the start.',
  noBirthday: 'The contact has no birthday.',
  unreadable: 'The birthday of the contact cannot be read as one day of the year.',
  neverReached: 'Its recurrence rule is never reached from its start on.',
  onlyTasksRecur: 'Only tasks recur.',
  tooFar: 'It is for a time that no calendar here reaches.',
};

/**
 * When the actions of a campaign happen for a contact who enters it at `start`: all of it from there on, nothing before.
 * It knows no clock, so that the same is scheduled whenever it is asked.
 */
export function schedule(
  actions: readonly Action[],
  start: Temporal.Instant,
  { birthday }: Pick<Facts, 'birthday'>,
  zone: string,
): Schedule {
  const facts = { start, zone, birthday };
  const communications: Schedule['communications'][number][] = [];
  const tasks: Schedule['tasks'][number][] = [];
  const skipped: Schedule['skipped'][number][] = [];
  for (const action of actions) {
    try {
      const { type } = action;
      const when = whenOf(action, facts);
      if (isCommunication(type)) communications.push({ action, type, send_at: when.first.instant });
      else tasks.push({ action, type, ...when });
    } catch (error) {
      if (!(error instanceof Skipped)) throw error;
      skipped.push({ action, reason: error.message });
    }
  }
  return { communications, tasks, skipped };
}

function isCommunication(type: Action['type']): type is CommunicationType {
  return communicationTypes.some((one) => one === type);
}

function whenOf(action: Action, facts: Facts): When {
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

/** The wall clock at which an action happens, or starts to happen again and again. */
function onDay(action: Action, facts: Facts): Temporal.PlainDateTime {
  const delay = { days: daysWithin(needed(action.delay_by_days)) };
  const time = Temporal.PlainTime.from(needed(action.dispatch_time));
  const { zone, start } = facts;
  const bases = action.event_trigger_type === '1' ? daysFrom(today(facts)) : birthdaysOf(facts);
  const wall = (base: Temporal.PlainDate) => base.add(delay).toPlainDateTime(time);
  return wall(firstDay(bases, (base) => instantOf(wall(base), zone), start));
}

function recurring({ recurrence }: Action, wall: Temporal.PlainDateTime, { zone }: Facts): When {
  if (wall.year < 1000 || wall.year > 9000) throw new Skipped(reasons.tooFar);
  const { rule, refusal } = readRule(needed(recurrence));
  if (!rule) throw new Skipped(`Its recurrence rule ${refusal}.`);
  const [first] = occurrences(rule, wall, zone, { limit: 1 });
  if (!first) throw new Skipped(reasons.neverReached);
  return { first, course: { rule, start: wall, zone } };
}

/** The first of these days on which the time is not over by the start. */
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

/** The birthdays from the day of the start on. */
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

/** Beyond any year of four digits, and still within what Temporal can count. */
const mostDays = 3_700_000;

function daysWithin(days: number): number {
  if (days > mostDays) throw new Skipped(reasons.tooFar);
  return days;
}

/** A moment with what the wall shows then: another time than was asked for, where the clocks skip that one. */
function at(instant: Temporal.Instant, { zone }: Facts): When['first'] {
  const local = localIn(instant, zone);
  // What is written in more digits is written in another way by ISO 8601 and by PostgreSQL.
  if (local.year > 9998 || local.year < 1) throw new Skipped(reasons.tooFar);
  return { instant, local };
}

function needed<Value>(value: Value | null): Value {
  if (value === null) throw new Skipped(reasons.incomplete);
  return value;
}
