import { type Condition, invalidField, type Scalar } from '@crm/contract';
import { instantOf, localIn } from '@crm/recurrence';
import { dueYears } from './task.api.ts';

/** When a task is due: as a moment, and in local time in a zone (IANA name). */
export interface Due {
  readonly due_at: Date | null;
  readonly due_local: string | null;
  readonly timezone: string;
}

interface StoredDue {
  readonly due_at?: Date | null | undefined;
  readonly due_local?: string | null | undefined;
  readonly timezone: string;
}

interface Sent {
  readonly due_at?: string | null | undefined;
  readonly timezone?: string | undefined;
}

/**
 * When a task is due after a request. A time without a zone in its text is local time in the zone that is sent, otherwise in the
 * caller's. If only a zone is sent, the local time does not change. Throws BadRequest for a year outside the limits, unless the
 * task is already due then.
 */
export function dueAfter(sent: Sent, callersZone: string, current?: Due): Due {
  if (current && sent.due_at === undefined && sent.timezone === undefined) return current;
  const before = current ?? { due_at: null, due_local: null, timezone: callersZone };
  const timezone = sent.timezone ?? (sent.due_at === undefined ? before.timezone : callersZone);
  const text = sent.due_at === undefined ? before.due_local : sent.due_at;
  if (text === null) return { due_at: null, due_local: null, timezone };
  // A local time that occurs twice in a night keeps its moment when it is sent back unchanged.
  if (text === before.due_local && timezone === before.timezone) return before;
  const instant = momentOf(text, timezone);
  const local = localIn(instant, timezone);
  const isUnchanged = before.due_at?.getTime() === instant.epochMilliseconds;
  if (!isUnchanged && (local.year < dueYears.first || local.year > dueYears.last))
    throw invalidField('due_at', {
      message: `must be in the years ${dueYears.first} to ${dueYears.last}`,
      reason: 'out_of_range',
    });
  return { due_at: new Date(instant.epochMilliseconds), due_local: localText(local), timezone };
}

/** When a stored task is due. */
export function dueOf({ due_at = null, due_local = null, timezone }: StoredDue): Due {
  return { due_at, due_local, timezone };
}

export function isSameDue(one: Due, other: Due): boolean {
  return one.due_at?.getTime() === other.due_at?.getTime() && one.timezone === other.timezone;
}

/** A due time as a moment, and in local time in a zone. */
export function timeOf({ due_at }: Due, zone: string) {
  const instant = due_at?.toTemporalInstant();
  return instant && { instant, local: localIn(instant, zone) };
}

/** The stored form of a local time: `YYYY-MM-DDTHH:MM:SS`. */
export const localText = (local: Temporal.PlainDateTime): string =>
  local.toString({ smallestUnit: 'second' });

function momentOf(text: string, zone: string): Temporal.Instant {
  return text.endsWith('Z')
    ? Temporal.Instant.from(text)
    : instantOf(Temporal.PlainDateTime.from(text), zone);
}

/** Conditions with each time without a zone replaced by its moment in the caller's zone. */
export function inZone(where: readonly Condition[], zone: string): Condition[] {
  const momentIn = (value: Scalar) => (typeof value === 'string' ? momentOf(value, zone).toString() : value);
  return where.map((condition): Condition => {
    if ('any' in condition) return { any: condition.any.map((group) => inZone(group, zone)) };
    if (condition.field !== 'due_at') return condition;
    switch (condition.op) {
      case '$in':
      case '$nin':
        return { ...condition, value: condition.value.map(momentIn) };
      default:
        return { ...condition, value: momentIn(condition.value) };
    }
  });
}
