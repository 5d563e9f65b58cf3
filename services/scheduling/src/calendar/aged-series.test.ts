import { occurrences } from '@crm/recurrence';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { at, seriesOf, textOf } from '../../test/calendar.ts';

afterEach(() => vi.restoreAllMocks());

const rules = [
  'FREQ=HOURLY;INTERVAL=5',
  'FREQ=DAILY',
  'FREQ=DAILY;COUNT=30',
  'FREQ=DAILY;INTERVAL=3;UNTIL=20260320',
  'FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,TH',
  'FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,TH;WKST=SU;COUNT=30',
  'FREQ=MONTHLY',
  'FREQ=MONTHLY;BYDAY=MO,TU,WE;BYSETPOS=2,-1',
  'FREQ=MONTHLY;INTERVAL=5;BYMONTHDAY=31',
  'FREQ=YEARLY',
  'FREQ=YEARLY;BYWEEKNO=1,53',
];

interface Aged {
  readonly rule: string;
  readonly start: string;
  readonly timezone: string;
  /** How many occurrences are over, and how many exist after them. */
  readonly over: number;
  readonly existing: number;
}

/** A calendar with the series, of which the first open occurrence was never changed, or once. */
function calendarWith({ rule, start, timezone, over, existing }: Aged, version: number) {
  const series = seriesOf(rule, start, { timezone });
  const { recurrence } = series;
  const limit = over + existing;
  const all = occurrences(recurrence.rule, recurrence.start, recurrence.zone, { limit });
  const tasks = all
    .filter(({ index }) => index >= over && index % 3 === over % 3)
    .map(({ index, local }) => at(index, local.toString(), { timezone, ...(index === over && { version }) }));
  return () => textOf({ tasks, series: [{ ...series, nextIndex: all.length }] });
}

const aged = fc.record({
  rule: fc.constantFrom(...rules),
  start: fc.constantFrom(
    '2025-10-31T01:30:00',
    '2026-01-01T02:30:00',
    '2025-12-29T00:00:00',
    '2024-02-29T09:00:00',
  ),
  timezone: fc.constantFrom('America/New_York', 'Europe/Berlin', 'America/Santiago', 'UTC'),
  over: fc.nat(60),
  existing: fc.integer({ min: 1, max: 12 }),
});

describe('a series whose first open occurrence was never changed', () => {
  it('is shown as if all occurrences before it were computed', () => {
    fc.assert(
      fc.property(aged, (one) => {
        // Occurrences that are shown without their series have their own number of changes.
        const shown = (version: number) => calendarWith(one, version)().replaceAll(/^SEQUENCE:.*$/gm, '');
        expect(shown(1)).toBe(shown(2));
      }),
      { numRuns: 300 },
    );
  });

  it.each(['FREQ=HOURLY', 'FREQ=DAILY', 'FREQ=DAILY;COUNT=900', 'FREQ=WEEKLY;BYDAY=MO,TH'])(
    '%s does not take more work with age',
    (rule) => {
      const workAt = (over: number) => {
        const write = calendarWith(
          { rule, start: '2026-01-01T09:00:00', timezone: 'America/New_York', over, existing: 30 },
          1,
        );
        const spy = vi.spyOn(Temporal.PlainDateTime.prototype, 'toZonedDateTime');
        write();
        const { length } = spy.mock.calls;
        spy.mockRestore();
        return length;
      };
      expect(workAt(800)).toBeLessThanOrEqual(workAt(0) + 30);
    },
  );
});
