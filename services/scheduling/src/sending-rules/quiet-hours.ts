import { instantOf, localIn } from '@crm/recurrence';
import { type Hours, type HoursByState, usualHours } from './state-hours.ts';
import type { Whereabouts } from './whereabouts.ts';

/** The search stops here: zones half a day apart may have no hour in common. */
const maxDays = 9;

/**
 * The first moment, now or later, at which somebody who may be in several zones and states may be disturbed; undefined if there
 * is none within days. The hours of all states must be respected in all zones.
 */
export function nextOpen(
  { zones, states }: Whereabouts,
  hoursByState: HoursByState,
  now: Temporal.Instant,
): Temporal.Instant | undefined {
  const end = now.add({ hours: 24 * maxDays });
  let at = now;
  while (Temporal.Instant.compare(at, end) < 0) {
    const later = zones
      .map((zone) => openIn(zone, (day) => hoursOn(states, hoursByState, day), at))
      .reduce((a, b) => (Temporal.Instant.compare(a, b) < 0 ? b : a));
    if (later.equals(at)) return at;
    at = later;
  }
  return undefined;
}

/** When the hours end in the first of the zones, for somebody who may be disturbed at this moment. */
export function closesAt(
  { zones, states }: Whereabouts,
  hoursByState: HoursByState,
  now: Temporal.Instant,
): Temporal.Instant {
  return zones
    .map((zone) => {
      const local = localIn(now, zone);
      const hours = hoursOn(states, hoursByState, local.dayOfWeek);
      return hours ? instantOf(local.toPlainDate().toPlainDateTime({ hour: hours[1] }), zone) : now;
    })
    .reduce((a, b) => (Temporal.Instant.compare(a, b) < 0 ? a : b));
}

/** The hours on a day that all states allow; null if they allow none. */
export function hoursOn(
  states: readonly string[],
  hoursByState: HoursByState,
  dayOfWeek: number,
): Hours | null {
  let [from, until] = usualHours;
  for (const state of states) {
    const rule = hoursByState[state];
    if (!rule) continue;
    const { hours, saturday = hours, sunday = hours } = rule;
    const own = dayOfWeek === 7 ? sunday : dayOfWeek === 6 ? saturday : hours;
    if (!own) return null;
    [from, until] = [Math.max(from, own[0]), Math.min(until, own[1])];
  }
  return from < until ? [from, until] : null;
}

/** The moment itself if it is within the hours in one zone, otherwise the start of the next ones. */
function openIn(
  zone: string,
  hoursOf: (dayOfWeek: number) => Hours | null,
  at: Temporal.Instant,
): Temporal.Instant {
  const local = localIn(at, zone);
  const hours = hoursOf(local.dayOfWeek);
  if (hours && local.hour >= hours[0] && local.hour < hours[1]) return at;
  let day = local.toPlainDate();
  if (!hours || local.hour >= hours[1]) day = day.add({ days: 1 });
  for (let count = 0; count < 7; count += 1, day = day.add({ days: 1 })) {
    const next = hoursOf(day.dayOfWeek);
    if (next) return instantOf(day.toPlainDateTime({ hour: next[0] }), zone);
  }
  return at.add({ hours: 24 * maxDays });
}
