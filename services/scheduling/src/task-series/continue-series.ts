import { isSameRule, type Occurrence, occurrences, type Rule, remainder } from '@crm/recurrence';
import { extendAt, horizonOf, isBefore, type Making, mostOpen } from './make-occurrences.ts';
import type { Recurrence } from './recurrence.ts';

/** An occurrence that is there. */
export interface Made {
  readonly id: number;
  readonly index: number;
  /** Neither complete nor deleted. */
  readonly isOpen: boolean;
}

/** What becomes of an occurrence and those after it when they go on as a series of their own. */
export interface Continuation {
  readonly recurrence: Recurrence;
  /** Those that take the new times. */
  readonly moved: readonly Moved[];
  /** Closed ones that keep all they have, and are counted in the new series. */
  readonly kept: readonly Kept[];
  /** Closed ones that the new series has no place for. */
  readonly released: readonly number[];
  /** Open ones that the new series has no place for. */
  readonly dropped: readonly number[];
  readonly added: readonly Occurrence[];
  readonly next: Pick<Making, 'nextIndex' | 'extendAt'>;
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
  /** The number of the first occurrence that was never made. */
  readonly nextIndex: number;
}

/**
 * Plans how a series goes on from its occurrence `named`, with a recurrence that the caller sends. `made` are that
 * occurrence and all after it that are there. Nothing when the recurrence never occurs.
 *
 * With the same rule, the nth occurrence after `named` stays the nth: one that was removed, or stands alone by now,
 * does not come back, and a closed one keeps its place. With another rule all places are new.
 */
export function continueSeries(
  series: Series,
  named: number,
  made: readonly Made[],
  sent: Recurrence,
  now: Temporal.Instant,
): Continuation | undefined {
  const isSame = isSameRule(series.rule, sent.rule);
  const recurrence = isSame ? { ...sent, rule: whatRemains(series, named) } : sent;
  const known = isSame ? series.nextIndex - named : 1;
  const end = horizonOf(recurrence, now);
  const places = occurrences(recurrence.rule, recurrence.start, recurrence.zone, {
    limit: known + mostOpen + 1,
  });
  if (places.length === 0) return undefined;

  const byPlace = new Map(made.map((one) => [one.index - named, one]));
  const moved: Moved[] = [];
  const kept: Kept[] = [];
  const added: Occurrence[] = [];
  let next = 0;
  for (const at of places) {
    const isFull = moved.length + added.length >= mostOpen;
    if (at.index >= known && (isFull || !isBefore(at.instant, end))) break;
    const one = byPlace.get(at.index);
    if (one && (one.isOpen || at.index === 0)) moved.push({ id: one.id, at });
    else if (one && isSame) kept.push({ id: one.id, index: at.index });
    else if (!isSame || at.index >= known) added.push(at);
    next = at.index + 1;
  }
  const placed = new Set([...moved, ...kept].map(({ id }) => id));
  const without = made.filter(({ id }) => !placed.has(id));
  return {
    recurrence,
    moved,
    kept,
    released: without.filter(({ isOpen }) => !isOpen).map(({ id }) => id),
    dropped: without.filter(({ isOpen }) => isOpen).map(({ id }) => id),
    added,
    next: { nextIndex: next, extendAt: extendAt(places[next], end, now) },
  };
}

/** When the nth occurrence of a series is, on the wall; nothing past its end. */
export function localOf(
  { rule, start, zone }: Recurrence,
  index: number,
): Temporal.PlainDateTime | undefined {
  return occurrences(rule, start, zone, { limit: index + 1 })[index]?.local;
}

function whatRemains(series: Recurrence, named: number): Rule {
  const local = localOf(series, named);
  return (local && remainder(series.rule, series.start, series.zone, local)) ?? series.rule;
}
