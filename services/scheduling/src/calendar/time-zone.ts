import type { Component, Line } from './lines.ts';
import { localValue } from './values.ts';

/**
 * Describes a zone (IANA name) for a calendar (RFC 5545, section 3.6.5) by its clock changes from the start of one year to the
 * end of another, for programs that do not know the name.
 */
export function timeZoneComponent(zone: string, from: number, to: number): Component {
  const start = Temporal.PlainDate.from({ year: from, month: 1, day: 1 }).toZonedDateTime(zone);
  const end = Temporal.PlainDate.from({ year: to + 1, month: 1, day: 1 }).toZonedDateTime(zone);
  const parts = [observance(start, start.offset, start.toPlainDateTime())];
  for (let at = start; ; ) {
    const next = at.getTimeZoneTransition('next');
    if (!next || Temporal.ZonedDateTime.compare(next, end) >= 0) break;
    const before = next.subtract({ seconds: 1 });
    // A calendar gives a clock change in the local time that was in effect before it.
    parts.push(observance(next, before.offset, before.toPlainDateTime().add({ seconds: 1 })));
    at = next;
  }
  return { name: 'VTIMEZONE', lines: [['TZID', zone]], parts };
}

function observance(
  at: Temporal.ZonedDateTime,
  offsetBefore: string,
  onset: Temporal.PlainDateTime,
): Component {
  const lines: readonly Line[] = [
    ['DTSTART', localValue(onset)],
    ['TZOFFSETFROM', offsetValue(offsetBefore)],
    ['TZOFFSETTO', offsetValue(at.offset)],
  ];
  return { name: isDaylight(at) ? 'DAYLIGHT' : 'STANDARD', lines };
}

/** Whether the offset is larger than at another time of the same year. */
function isDaylight(at: Temporal.ZonedDateTime): boolean {
  const inYear = [1, 7].map((month) => at.with({ month, day: 1 }).offsetNanoseconds);
  return at.offsetNanoseconds > Math.min(...inYear);
}

const offsetValue = (offset: string) => offset.replaceAll(':', '');
