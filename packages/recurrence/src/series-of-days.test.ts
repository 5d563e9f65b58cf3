import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyRule, anyStart, anyZone } from '../test/any-rule.ts';
import { occurrences } from './occurrences.ts';
import { readRule } from './read-rule.ts';
import { endBefore, remainder } from './split.ts';

const daily = readRule('FREQ=DAILY;COUNT=5').rule ?? expect.fail();
const limit = 12;

describe('a series that starts on a day, without a time', () => {
  it.each([
    ['America/Santiago', '2026-09-04'],
    ['America/Havana', '2027-03-13'],
    ['Africa/Cairo', '2026-04-22'],
    ['Asia/Beirut', '2027-03-26'],
  ])('in %s contains the day whose midnight clocks skip, at its first moment', (zone, first) => {
    const start = Temporal.PlainDate.from(first);
    const found = occurrences(daily, start, zone, { limit });
    const days = [0, 1, 2, 3, 4].map((number) => start.add({ days: number }));
    expect(found.map(({ local }) => local.toString())).toEqual(days.map((day) => `${day}T00:00:00`));
    expect(found.map(({ instant }) => String(instant))).toEqual(
      days.map((day) => String(day.toZonedDateTime(zone).toInstant())),
    );
    // A series at midnight leaves that day out.
    expect(
      occurrences(daily, start.toPlainDateTime(), zone, { limit }).map(({ local }) => local.day),
    ).not.toEqual(days.map(({ day }) => day));
  });

  it('has the same days in every zone, whatever its rule, unless it ends at a moment', () => {
    fc.assert(
      fc.property(anyRule, anyStart, anyZone, ({ rule }, from, zone) => {
        if (rule.until?.endsWith('Z')) return;
        const start = from.toPlainDate();
        const daysIn = (one: string) =>
          occurrences(rule, start, one, { limit }).map(({ local }) => String(local));
        expect(daysIn(zone)).toEqual(daysIn('UTC'));
      }),
      { numRuns: 500 },
    );
  });

  it('consists of two such series when it is split', () => {
    fc.assert(
      fc.property(anyRule, anyStart, anyZone, fc.nat({ max: 11 }), ({ rule }, from, zone, index) => {
        const start = from.toPlainDate();
        const whole = occurrences(rule, start, zone, { limit });
        const split = whole[index]?.local;
        if (!split) return;
        const before = occurrences(endBefore(rule, start, zone, split), start, zone, { limit });
        const rest = remainder(rule, start, zone, split) ?? expect.fail();
        const after = occurrences(rest, split.toPlainDate(), zone, { limit });
        expect(before).toHaveLength(index);
        const both = [...before, ...after].slice(0, whole.length).map(({ local }) => String(local));
        expect(both).toEqual(whole.map(({ local }) => String(local)));
      }),
      { numRuns: 500 },
    );
  });
});
