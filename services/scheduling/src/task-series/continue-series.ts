import {
  isBefore,
  isDay,
  isSameRule,
  movedRule,
  type Occurrence,
  occurrences,
  series as occurrencesOf,
  type Rule,
  remainder,
} from '@crm/recurrence';
import type { TaskFields } from '../tasks/add-task.ts';
import { extendAt, horizonOf, maxOpen, type OccurrencePlan } from './plan-occurrences.ts';
import { type Recurrence, startAt } from './recurrence.ts';

/** An occurrence that exists. */
export interface ExistingOccurrence {
  readonly id: number;
  readonly index: number;
  /** Neither complete nor deleted. */
  readonly isOpen: boolean;
}

/** What happens to an occurrence and those after it when they continue as a separate series. */
interface Continuation {
  readonly recurrence: Recurrence;
  /** Those that get the new times. */
  readonly moved: readonly Moved[];
  /** Closed ones that do not change, and are counted in the new series. */
  readonly kept: readonly Kept[];
  /** Closed ones that are not in the new series, and become single tasks. */
  readonly released: readonly number[];
  /** Open ones that are not in the new series, and are removed. */
  readonly dropped: readonly number[];
  readonly added: readonly Occurrence[];
  readonly next: Pick<OccurrencePlan, 'nextIndex' | 'extendAt'>;
}

interface Moved {
  readonly id: number;
  readonly at: Occurrence;
}

interface Kept {
  readonly id: number;
  readonly index: number;
}

interface Series extends Recurrence {
  /** The number of the first occurrence that was not created yet. */
  readonly nextIndex: number;
}

/** Determines how far the new series is created, and what happens to existing occurrences. */
interface Limits {
  /** Whether the rule stays the same. */
  readonly isSame: boolean;
  /** How many occurrences of the new series were created as occurrences of the old one. */
  readonly known: number;
  readonly end: Temporal.Instant;
}

/**
 * Plans how a series continues from its occurrence `from`, with a recurrence that the caller sends. `existing` are that
 * occurrence and all existing ones after it. Undefined if the recurrence never occurs.
 *
 * With the same rule, the nth occurrence after `from` stays the nth, and an end stays behind the last one: one that was removed
 * or became a single task does not return, and a closed one keeps its number. With another rule, all numbers are new.
 */
export function continueSeries(
  series: Series,
  from: number,
  existing: readonly ExistingOccurrence[],
  sent: Recurrence,
  now: Temporal.Instant,
): Continuation | undefined {
  const isSame = isSameRule(series.rule, sent.rule);
  const recurrence = isSame ? { ...sent, rule: remainingRule(series, from, sent) } : sent;
  const known = isSame ? series.nextIndex - from : 1;
  const end = horizonOf(recurrence, now);
  const upcoming = occurrencesOf(recurrence.rule, recurrence.start, recurrence.zone);
  const byIndex = new Map(existing.map((one) => [one.index - from, one]));
  const { nextIndex, next, ...assigned } = assign(upcoming, byIndex, { isSame, known, end });
  if (nextIndex === 0) return undefined;
  const assignedIds = new Set([...assigned.moved, ...assigned.kept].map(({ id }) => id));
  const others = existing.filter(({ id }) => !assignedIds.has(id));
  return {
    recurrence,
    ...assigned,
    released: others.filter(({ isOpen }) => !isOpen).map(({ id }) => id),
    dropped: others.filter(({ isOpen }) => isOpen).map(({ id }) => id),
    next: { nextIndex, extendAt: extendAt(next, end, now) },
  };
}

/**
 * Assigns existing occurrences to those of the new series, as far ahead as these are created. `next` is the first one after
 * them.
 */
function assign(
  upcoming: Iterable<Occurrence>,
  existing: ReadonlyMap<number, ExistingOccurrence>,
  { isSame, known, end }: Limits,
) {
  const moved: Moved[] = [];
  const kept: Kept[] = [];
  const added: Occurrence[] = [];
  let nextIndex = 0;
  let next: Occurrence | undefined;
  for (const at of upcoming) {
    const isFull = moved.length + added.length >= maxOpen;
    if (at.index >= known && (isFull || !isBefore(at.instant, end))) {
      next = at;
      break;
    }
    const task = existing.get(at.index);
    if (task && (task.isOpen || at.index === 0)) moved.push({ id: task.id, at });
    else if (task && isSame) kept.push({ id: task.id, index: at.index });
    else if (!isSame || at.index >= known) added.push(at);
    nextIndex = at.index + 1;
  }
  return { moved, kept, added, nextIndex, next };
}

/** A series from the regular time of one of its occurrences on; undefined if the caller sends another rule. */
export function regularFrom(
  series: Recurrence,
  index: number,
  sent: Recurrence,
  { is_all_day }: Pick<TaskFields, 'is_all_day'>,
): Recurrence | undefined {
  const local = isSameRule(series.rule, sent.rule) ? localOf(series, index) : undefined;
  return local && { ...sent, start: startAt(local, is_all_day), zone: series.zone };
}

/** The local time of the nth occurrence of a series; undefined past its end. */
export function localOf(
  { rule, start, zone }: Recurrence,
  index: number,
): Temporal.PlainDateTime | undefined {
  return occurrences(rule, start, zone, { limit: index + 1 })[index]?.local;
}

/** The rule of a series from one of its occurrences on, which is moved to another start. */
function remainingRule({ rule, start, zone }: Recurrence, from: number, to: Recurrence): Rule {
  const local = localOf({ rule, start, zone }, from);
  const rest = local && remainder(rule, start, zone, local);
  if (!rest) return rule;
  return movedRule(rest, { start: isDay(start) ? local.toPlainDate() : local, zone }, to);
}
