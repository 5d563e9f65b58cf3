import { type Rule, readRule, type Start, textOf, writtenLike } from '@crm/recurrence';
import type { TaskSeries } from '../tasks/task-series.entity.ts';

/** When a recurring task occurs: its rule, and the local time in a zone (IANA name) or the day at which it starts. */
export interface Recurrence {
  readonly rule: Rule;
  readonly start: Start;
  readonly zone: string;
  /** The text that the rule was read from, if it should be shown in that form. */
  readonly written?: string;
}

/** The rule as the client wrote it, or with its current end. */
export function ruleText({ rule, written }: Pick<Recurrence, 'rule' | 'written'>): string {
  return written === undefined ? textOf(rule) : writtenLike(written, rule);
}

/** The recurrence of a recurring task; undefined for a single task. */
export function recurrenceOf({
  rule,
  start_local,
  timezone,
}: Pick<TaskSeries, 'rule' | 'start_local' | 'timezone'>): Recurrence | undefined {
  if (!rule || !start_local || !timezone) return undefined;
  const reading = readRule(rule);
  // A rule is validated before it is stored.
  if (!reading.rule) throw new Error(`The rule of a series ${reading.refusal}.`);
  return { rule: reading.rule, start: startFrom(start_local), zone: timezone, written: rule };
}

/** An all-day task at midnight recurs by days, so that it is not left out where clocks skip midnight. */
export function startAt(local: Temporal.PlainDateTime, isAllDay: boolean): Start {
  return isAllDay && local.toPlainTime().equals(new Temporal.PlainTime()) ? local.toPlainDate() : local;
}

/** Reads the stored start of a series. All-day tasks that started at a time before have kept it, and so their numbers. */
const startFrom = (text: string): Start =>
  text.includes('T') ? Temporal.PlainDateTime.from(text) : Temporal.PlainDate.from(text);
