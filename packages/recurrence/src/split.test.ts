import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyRule, anyStart, anyZone } from '../test/any-rule.ts';
import { occurrences } from './occurrences.ts';
import { readRule } from './read-rule.ts';
import { type Rule, textOf } from './rule.ts';
import { endBefore, movedRule, remainder } from './split.ts';

const zone = 'America/New_York';
const start = Temporal.PlainDateTime.from('2027-03-01T09:00');
const onThe = (day: string) => Temporal.PlainDateTime.from(`2027-03-${day}T09:00`);

function ruleOf(text: string): Rule {
  const { rule, refusal } = readRule(text);
  if (!rule) throw new Error(refusal);
  return rule;
}

const ended = (text: string, local = onThe('03')) => textOf(endBefore(ruleOf(text), start, zone, local));
const remaining = (text: string, local = onThe('03')) => {
  const rule = remainder(ruleOf(text), start, zone, local);
  return rule && textOf(rule);
};

describe('a series split at an occurrence', () => {
  it('consists of the first part followed by the second, for every rule', () => {
    fc.assert(
      fc.property(anyRule, anyStart, anyZone, fc.nat({ max: 11 }), ({ rule }, from, inZone, index) => {
        const window = { until: from.add({ years: 6 }).toZonedDateTime(inZone).toInstant(), limit: 12 };
        const times = (each: Rule | null, first: Temporal.PlainDateTime) =>
          (each ? occurrences(each, first, inZone, window) : []).map(({ local }) => local.toString());
        const whole = occurrences(rule, from, inZone, window);
        const split = whole[index]?.local;
        if (!split) return;
        const before = times(endBefore(rule, from, inZone, split), from);
        const after = times(remainder(rule, from, inZone, split), split);
        expect(before).toHaveLength(index);
        expect([...before, ...after].slice(0, whole.length)).toEqual(
          whole.map(({ local }) => local.toString()),
        );
        if (whole.length < window.limit) expect(before.length + after.length).toBe(whole.length);
      }),
      { numRuns: 1000 },
    );
  });

  it('ends a second before it, in local time', () => {
    expect(ended('FREQ=DAILY')).toBe('FREQ=DAILY;UNTIL=20270303T085959');
    expect(ended('FREQ=DAILY;COUNT=5')).toBe('FREQ=DAILY;UNTIL=20270303T085959');
    expect(ended('FREQ=DAILY;UNTIL=20270310T000000Z')).toBe('FREQ=DAILY;UNTIL=20270303T085959');
    expect(ended('FREQ=DAILY', Temporal.PlainDateTime.from('2027-03-03T00:00'))).toBe(
      'FREQ=DAILY;UNTIL=20270302T235959',
    );
  });

  it('continues with what remains of COUNT and with the same UNTIL', () => {
    expect(remaining('FREQ=DAILY')).toBe('FREQ=DAILY');
    expect(remaining('FREQ=DAILY;COUNT=5')).toBe('FREQ=DAILY;COUNT=3');
    expect(remaining('FREQ=DAILY;UNTIL=20270310T000000Z')).toBe('FREQ=DAILY;UNTIL=20270310T000000Z');
  });

  it('does not count times that clocks skipped', () => {
    const night = Temporal.PlainDateTime.from('2027-03-13T02:30');
    const rest = remainder(ruleOf('FREQ=DAILY;COUNT=5'), night, zone, night.add({ days: 2 }));
    expect(rest && textOf(rest)).toBe('FREQ=DAILY;COUNT=4');
  });

  it.each(['FREQ=DAILY;COUNT=2', 'FREQ=DAILY;UNTIL=20270302', 'FREQ=DAILY;UNTIL=20270303T135959Z'])(
    '%s, which has already ended, does not change and leaves nothing',
    (text) => {
      expect(ended(text)).toBe(text);
      expect(remaining(text)).toBeNull();
    },
  );

  it('ends in a text that can be read again, however long the rule was', () => {
    const days = Array.from({ length: 28 }, (_, index) => index + 1);
    const longest = `FREQ=MONTHLY;INTERVAL=100;BYMONTH=1,2,3,4,5,6,7,8,9,10,11,12;BYMONTHDAY=${days};BYSETPOS=-2,-1,1,2,3,4;WKST=SU`;
    expect(longest).toHaveLength(177);
    const text = `${longest};COUNT=9`;
    expect(readRule(ended(text)).rule).toEqual(endBefore(ruleOf(text), start, zone, onThe('03')));
  });
});

describe('a series that is moved', () => {
  const moved = (text: string, to: string) =>
    textOf(movedRule(ruleOf(text), { start, zone }, { start: Temporal.PlainDateTime.from(to), zone }));

  it('keeps the number of its occurrences, for every rule with an end', () => {
    fc.assert(
      fc.property(
        anyRule,
        anyStart,
        anyZone,
        anyStart,
        anyZone,
        ({ rule }, from, zoneBefore, to, zoneAfter) => {
          const number = (each: Rule, first: Temporal.PlainDateTime, inZone: string) =>
            occurrences(each, first, inZone, { limit: 10_000 }).length;
          const before = number(rule, from, zoneBefore);
          if (rule.until === null || before === 0) return;
          const after = movedRule(rule, { start: from, zone: zoneBefore }, { start: to, zone: zoneAfter });
          expect(after.count ?? number(after, to, zoneAfter)).toBe(before);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('keeps its UNTIL if that leaves as many, and else gets a COUNT', () => {
    expect(moved('FREQ=DAILY;UNTIL=20270303', '2027-03-01T23:00')).toBe('FREQ=DAILY;UNTIL=20270303');
    expect(moved('FREQ=DAILY;UNTIL=20270303T090000', '2027-03-01T10:00')).toBe('FREQ=DAILY;COUNT=3');
    expect(moved('FREQ=DAILY;UNTIL=20270303', '2028-03-01T09:00')).toBe('FREQ=DAILY;COUNT=3');
  });

  it('keeps a COUNT, no end, and an UNTIL that is too far away to count', () => {
    const far = ['FREQ=HOURLY;UNTIL=20990101', 'FREQ=WEEKLY;UNTIL=99991231', 'FREQ=MONTHLY;UNTIL=99991231'];
    for (const text of ['FREQ=DAILY;COUNT=3', 'FREQ=DAILY', ...far])
      expect(moved(text, '2028-05-08T10:00')).toBe(text);
  });
});
