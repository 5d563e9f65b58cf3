import { instantOf, localIn, type Rule, textOf } from '@crm/recurrence';
import { dayValue, momentValue } from './values.ts';

/**
 * A rule as a calendar has it, where UNTIL is a moment in UTC beside a start with a zone (RFC 5545, section 3.3.10),
 * and a day beside a start that is a day. Ours may also be a time on the local, or a day with all of its hours.
 */
export function repetition(rule: Rule, zone: string, isAllDay: boolean): string {
  if (rule.until === null) return textOf(rule);
  const last = lastMoment(rule.until, zone);
  const until = isAllDay ? dayValue(localIn(last, zone).toPlainDate()) : momentValue(last);
  return textOf({ ...rule, until });
}

function lastMoment(until: string, zone: string): Temporal.Instant {
  if (until.endsWith('Z')) return Temporal.Instant.from(until);
  if (until.includes('T')) return instantOf(Temporal.PlainDateTime.from(until), zone);
  return instantOf(Temporal.PlainDate.from(until).toPlainDateTime('23:59:59'), zone);
}
