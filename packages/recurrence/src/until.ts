import type { Rule } from './rule.ts';

/** Whether a time is after UNTIL: a date includes its whole day, a date-time without Z is a local time. */
export function isPast({ until }: Rule, local: Temporal.PlainDateTime, instant: Temporal.Instant): boolean {
  if (until === null) return false;
  if (until.endsWith('Z')) return Temporal.Instant.compare(instant, Temporal.Instant.from(until)) > 0;
  if (until.includes('T'))
    return Temporal.PlainDateTime.compare(local, Temporal.PlainDateTime.from(until)) > 0;
  return Temporal.PlainDate.compare(local.toPlainDate(), Temporal.PlainDate.from(until)) > 0;
}

/** UNTIL as a local time, in whole seconds. */
export function untilText(local: Temporal.PlainDateTime): string {
  return local.toString({ smallestUnit: 'second' }).replace(/[-:]/g, '');
}
