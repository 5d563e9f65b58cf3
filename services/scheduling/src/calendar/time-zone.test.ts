import { occurrences } from '@crm/recurrence';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { at, occurrencesOf, plain, read, seriesOf, textOf } from '../../test/calendar.ts';

describe('a calendar', () => {
  it('describes each zone so that a program without zone data finds the same moments', () => {
    const zones = fc.constantFrom(
      'America/New_York',
      'Europe/London',
      'Asia/Kolkata',
      'Australia/Lord_Howe',
      'America/St_Johns',
      'Africa/Casablanca',
      'Pacific/Apia',
      'Asia/Tokyo',
      'Europe/Dublin',
    );
    const minutes = fc.integer({ min: 0, max: 5 * 366 * 24 * 60 });
    fc.assert(
      fc.property(zones, minutes, (timezone, after) => {
        const instant = Temporal.Instant.from('2024-01-01T00:00:00Z').add({ minutes: after });
        const due_local = instant.toZonedDateTimeISO(timezone).toPlainDateTime();
        // For a local time that occurs twice, a calendar can express only one of the two.
        fc.pre(due_local.toZonedDateTime(timezone).toInstant().equals(instant));
        const { events } = read(textOf({ tasks: [{ ...plain, timezone, due_local }], series: [] }));
        expect(events[0]?.startDate.toJSDate().getTime()).toBe(instant.epochMilliseconds);
      }),
    );
  });

  it('defines the zone of each time that it contains, from a date before all of them', () => {
    const zones = fc.constantFrom('America/New_York', 'Asia/Jakarta', 'America/Bahia', 'Australia/Lord_Howe');
    const change = fc.record(
      {
        is_all_day: fc.constant(true),
        timezone: zones,
        due_local: fc.constantFrom(null, ...['2019', '2034', '2051'].map((year) => `${year}-02-03T04:05:06`)),
      },
      { requiredKeys: [] },
    );
    const changes = fc.array(fc.option(change), { minLength: 1, maxLength: 4 });
    const rules = fc.constantFrom(
      'FREQ=WEEKLY',
      'FREQ=YEARLY',
      'FREQ=YEARLY;INTERVAL=7',
      'FREQ=DAILY;COUNT=5',
    );
    fc.assert(
      fc.property(rules, zones, changes, fc.boolean(), (rule, timezone, changed, isAllDay) => {
        const facts = { timezone, is_all_day: isAllDay };
        const series = { ...seriesOf(rule, '2026-12-07T09:00:00', facts), nextIndex: changed.length };
        const { recurrence } = series;
        const known = occurrences(recurrence.rule, recurrence.start, timezone, { limit: changed.length });
        const tasks = changed.flatMap((one, index) => {
          const due = one?.due_local === undefined ? known[index]?.local : one.due_local;
          const due_local = due === null ? null : Temporal.PlainDateTime.from(due ?? '2026-12-07T09:00:00');
          // The others are closed.
          return index > 0 && one === null
            ? []
            : [at(index, '2026-12-07T09:00', { ...facts, ...one, due_local })];
        });
        const text = textOf({ tasks, series: [series] }).replaceAll('\r\n ', '');
        for (const [, zone, time = ''] of text.matchAll(/;TZID=([^:]+):(\w+)/g)) {
          const definition = text
            .split('BEGIN:VTIMEZONE')
            .find((part) => part.includes(`\r\nTZID:${zone}\r\n`));
          const [, start = 'none'] = /DTSTART:(\w+)/.exec(definition ?? '') ?? [];
          expect(start <= time, `${zone}: ${start} is not after ${time}`).toBe(true);
        }
      }),
    );
  });

  it.each([
    ['on a whole day', { is_all_day: true }],
    ['in another zone', { timezone: 'Europe/Lisbon' }],
    ['years later', { due_local: Temporal.PlainDateTime.from('2034-03-01T09:00:00') }],
  ])('defines the zone of a series whose only open occurrence is %s', (_, change) => {
    const timezone = 'Asia/Jakarta';
    const tasks = [at(0, '2026-12-07T09:00:00', { timezone, ...change })];
    const series = { ...seriesOf('FREQ=YEARLY', '2026-12-07T09:00:00', { timezone }), nextIndex: 1 };
    const { calendar, events } = read(textOf({ tasks, series: [series] }));
    const zones = calendar.getAllSubcomponents('vtimezone');
    const zone = zones.find((one) => one.getFirstPropertyValue('tzid') === timezone);
    const start = zone?.getFirstSubcomponent('standard')?.getFirstPropertyValue('dtstart')?.toString();
    expect(start).toBe('2025-01-01T00:00:00');
    const [, second] = events[0] ? occurrencesOf(events[0], 2) : [];
    expect(second?.[0]).toBe('2027-12-07T02:00:00.000Z');
  });
});
