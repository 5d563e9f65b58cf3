import { timeOfStart } from '@crm/recurrence';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { day, model } from '../../test/schedule-model.ts';
import { base, every, happens, onDay, reminder } from '../../test/schedules.ts';
import { schedule } from './schedule.ts';

const zones = [
  'America/New_York',
  'America/Los_Angeles',
  'America/Havana',
  'America/Sao_Paulo',
  'America/St_Johns',
  // Its clocks went back a minute after midnight, into the previous day.
  'America/Goose_Bay',
  'Europe/London',
  'Europe/Dublin',
  'Africa/Casablanca',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Asia/Tehran',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Pacific/Chatham',
  'UTC',
];

const changes: Readonly<Record<string, readonly string[]>> = {
  'America/New_York': ['2026-03-08T07:00:00Z', '2026-11-01T06:00:00Z'],
  'America/Havana': ['2026-03-08T05:00:00Z', '2026-11-01T05:00:00Z'],
  'America/Sao_Paulo': ['2018-11-04T03:00:00Z', '2019-02-17T02:00:00Z'],
  'America/Goose_Bay': ['2010-03-14T04:01:00Z', '2010-11-07T03:01:00Z'],
  'Australia/Lord_Howe': ['2026-04-04T15:00:00Z', '2026-10-03T15:30:00Z'],
  'Pacific/Apia': ['2011-12-30T10:00:00Z'],
};

/** A start near a clock change, or anywhere in some decades. */
const zoneAndStart = fc.constantFrom(...zones).chain((zone) => {
  const near = (changes[zone] ?? []).map(Date.parse);
  const anywhere = fc.integer({ min: Date.UTC(2005, 0), max: Date.UTC(2037, 0) });
  const close = fc
    .tuple(fc.constantFrom(...near, 0), fc.integer({ min: -3 * day, max: day }))
    .map(([change, offset]) => change + offset);
  return fc.record({
    zone: fc.constant(zone),
    start:
      near.length > 0
        ? fc.oneof(
            anywhere,
            close.filter((ms) => ms > day * 3650),
          )
        : anywhere,
  });
});

const clock = fc.oneof(
  fc.constantFrom(
    '00:00:00',
    '00:00:30',
    '00:30:00',
    '01:30:00',
    '02:00:00',
    '02:30:00',
    '23:30:00',
    '23:59:59',
  ),
  fc.integer({ min: 0, max: 86_399 }).map((at) => new Date(at * 1000).toISOString().slice(11, 19)),
);

const timing = fc.oneof(
  fc.record({
    timing_type: fc.constant('Delay by Minutes' as const),
    delay_by_seconds: fc.oneof(fc.nat(100), fc.nat(400 * 86_400)),
  }),
  fc.record({
    timing_type: fc.constant('Delay by Day and Time' as const),
    delay_by_days: fc.oneof(fc.nat(3), fc.nat(900)),
    dispatch_time: clock,
  }),
);

const born = fc.oneof(
  fc.constant([2, 29] as const),
  fc.integer({ min: 0, max: 364 }).map((at) => {
    const date = new Date(Date.UTC(2026, 0, 1) + at * day);
    return [date.getUTCMonth() + 1, date.getUTCDate()] as const;
  }),
);

describe('a schedule, in every zone and across every clock change', () => {
  it('agrees with the model', () => {
    fc.assert(
      fc.property(
        zoneAndStart,
        timing,
        fc.constantFrom('1' as const, '2' as const),
        born,
        ({ zone, start }, how, event_trigger_type, birthday) => {
          const action = { ...base, ...how, event_trigger_type };
          const written = `--${birthday.map((part) => String(part).padStart(2, '0')).join('-')}`;
          const scheduled = happens(action, {
            start: new Date(start).toISOString(),
            zone,
            birthday: written,
          });
          const expected = new Date(model.scheduled(action, start, zone, birthday)).toISOString();
          expect(new Date(scheduled).toISOString()).toBe(expected);
        },
      ),
      { numRuns: 1500 },
    );
  });

  it('starts a recurring task on the day on which the same single task would be due', () => {
    fc.assert(
      fc.property(
        zoneAndStart,
        fc.nat(400),
        clock,
        fc.integer({ min: 1, max: 40 }),
        ({ zone, start }, days, time, n) => {
          const from = Temporal.Instant.fromEpochMilliseconds(start);
          const actions = [
            { ...base, ...every(`FREQ=DAILY;INTERVAL=${n}`, days, time) },
            { ...base, ...reminder, ...onDay(days, time) },
          ];
          const [recurring, once] = schedule(actions, { start: from, zone, birthday: null }).tasks;
          if (!recurring?.recurrence || !once) throw new Error('Both are scheduled.');
          const shown = Temporal.PlainTime.from(time);
          const startsAt = timeOfStart(recurring.recurrence.start);
          expect(startsAt.toPlainTime().equals(shown)).toBe(true);
          expect(startsAt.toZonedDateTime(zone).toInstant().equals(once.first.instant)).toBe(true);
          // It never happens at another time, so not on a day on which the clocks skip its time, nor on a skipped day.
          expect(recurring.first.local.toPlainTime().equals(shown)).toBe(true);
          const later = startsAt.until(recurring.first.local, { largestUnit: 'day' }).days;
          expect(later === 0 || (later === n && !once.first.local.equals(startsAt))).toBe(true);
        },
      ),
      {
        numRuns: 500,
        // In Samoa the whole of 30 December 2011 was skipped.
        examples: [[{ zone: 'Pacific/Apia', start: 1_325_066_399_999 }, 3, '00:00:00', 1]],
      },
    );
  });

  it('never happens before the start', () => {
    fc.assert(
      fc.property(
        zoneAndStart,
        timing,
        fc.constantFrom('1' as const, '2' as const),
        ({ zone, start }, how, trigger) => {
          const iso = new Date(start).toISOString();
          const scheduled = happens(
            { ...how, event_trigger_type: trigger },
            { start: iso, zone, birthday: '02-29' },
          );
          expect(Date.parse(scheduled)).toBeGreaterThanOrEqual(start);
        },
      ),
    );
  });
});
