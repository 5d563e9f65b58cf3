import { instantOf, localIn, textOf, timeOfStart } from '@crm/recurrence';
import type { Recurrence } from '../task-series/recurrence.ts';
import { dayValue, momentValue } from './values.ts';

/**
 * Writes a rule for a calendar, where UNTIL must be in UTC if the start has a zone (RFC 5545, section 3.3.10), and a date if the
 * start is a date. The UNTIL of a stored rule may also be a local time, or a date that includes its whole day.
 */
export function repetition({ rule, start, zone }: Recurrence, isAllDay: boolean): string {
  if (rule.until === null) return textOf(rule);
  const last = lastMoment(rule.until, zone);
  const until = isAllDay ? dayValue(lastDay(localIn(last, zone), timeOfStart(start))) : momentValue(last);
  return textOf({ ...rule, until });
}

/** The last day of a series, without a day whose occurrence would be later than the last moment. */
function lastDay(last: Temporal.PlainDateTime, start: Temporal.PlainDateTime): Temporal.PlainDate {
  const isBefore = Temporal.PlainTime.compare(last.toPlainTime(), start.toPlainTime()) < 0;
  return last.toPlainDate().subtract({ days: isBefore ? 1 : 0 });
}

function lastMoment(until: string, zone: string): Temporal.Instant {
  if (until.endsWith('Z')) return Temporal.Instant.from(until);
  if (until.includes('T')) return instantOf(Temporal.PlainDateTime.from(until), zone);
  return instantOf(Temporal.PlainDate.from(until).toPlainDateTime('23:59:59'), zone);
}
