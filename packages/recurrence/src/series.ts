import { clockChanges, instantOf, isSkipped } from './local-time.ts';
import type { Rule } from './rule.ts';
import { nextInStep, seriesDays } from './series-days.ts';
import { isDay, type Start, timeOfStart } from './start.ts';
import { isPast } from './until.ts';

/** One time of a series: its number in the whole series (from 0), its local time and its instant. */
export type Occurrence = {
  readonly index: number;
  readonly local: Temporal.PlainDateTime;
  readonly instant: Temporal.Instant;
};

/** A series is not computed beyond this: a rule may match nothing for longer than anybody would wait. */
const maxYears = 150;

/**
 * A series from its start to its end, or to the end of `lastYear`. A time that clocks skip does not occur and, by RFC 5545, does
 * not count.
 */
export function* series(
  rule: Rule,
  startsAt: Start,
  zone: string,
  lastYear = Infinity,
): Generator<Occurrence> {
  const start = timeOfStart(startsAt);
  const hasTimes = rule.frequency === 'HOURLY' || !isDay(startsAt);
  const timesOn = (day: Temporal.PlainDate) =>
    timesOfDay(rule, start, day).filter((time) => !(hasTimes && isSkipped(time, zone)));
  const mayChange = hasTimes ? clockChanges(zone) : () => false;
  const occursOn = (day: Temporal.PlainDate) =>
    (rule.frequency !== 'HOURLY' && !mayChange(day)) || timesOn(day).length > 0;
  const last = Math.min(start.year + maxYears, lastYear);
  let index = 0;
  for (const day of seriesDays(rule, start, last, occursOn)) {
    for (const local of timesOn(day)) {
      const instant = instantOf(local, zone);
      if (isPast(rule, local, instant)) return;
      yield { index, local, instant };
      index += 1;
      if (index === rule.count) return;
    }
  }
}

/** The time of the start, or with an hourly rule, the times of the day that INTERVAL reaches from the start. */
function timesOfDay(
  { frequency, interval }: Rule,
  start: Temporal.PlainDateTime,
  day: Temporal.PlainDate,
): Temporal.PlainDateTime[] {
  const time = day.toPlainDateTime(start.toPlainTime());
  if (frequency !== 'HOURLY') return [time];
  const midnight = start.toPlainDate().until(day).days * 24;
  const first = nextInStep(start.hour, interval, midnight) - midnight;
  const hours = Math.max(0, Math.ceil((24 - first) / interval));
  return Array.from({ length: hours }, (_, index) => time.with({ hour: first + index * interval }));
}
