import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyRule } from '../test/any-rule.ts';
import { readRule } from './read-rule.ts';
import { isSameRule, textOf, weekdays } from './rule.ts';

const canonical = (text: string) => {
  const { rule, refusal } = readRule(text);
  return rule ? textOf(rule) : refusal;
};

describe('a rule', () => {
  it.each([
    ['RRULE:FREQ=DAILY', 'FREQ=DAILY'],
    [' RRULE:FREQ=DAILY\r\n', 'FREQ=DAILY'],
    [
      'rrule:freq=weekly;byday=mo,tu;until=20280229t235959z',
      'FREQ=WEEKLY;UNTIL=20280229T235959Z;BYDAY=MO,TU',
    ],
    ['FREQ=DAILY;INTERVAL=400', 'FREQ=DAILY;INTERVAL=400'],
    ['FREQ=HOURLY;INTERVAL=2147483647', 'FREQ=HOURLY;INTERVAL=2147483647'],
    ['FREQ=DAILY;COUNT=20000', 'FREQ=DAILY;COUNT=20000'],
    ['INTERVAL=1;WKST=MO;FREQ=WEEKLY', 'FREQ=WEEKLY'],
    ['FREQ=WEEKLY;BYDAY=SU,MO,SU;INTERVAL=02', 'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,SU'],
    ['FREQ=MONTHLY;BYDAY=+1MO,-1FR,TU', 'FREQ=MONTHLY;BYDAY=-1FR,TU,1MO'],
    ['FREQ=MONTHLY;BYMONTHDAY=15,-1,1,+15', 'FREQ=MONTHLY;BYMONTHDAY=-1,1,15'],
    ['FREQ=DAILY;UNTIL=20280229', 'FREQ=DAILY;UNTIL=20280229'],
    ['FREQ=DAILY;UNTIL=20280229T235959', 'FREQ=DAILY;UNTIL=20280229T235959'],
    ['FREQ=DAILY;UNTIL=20280229T235959Z', 'FREQ=DAILY;UNTIL=20280229T235959Z'],
    ['FREQ=YEARLY;BYWEEKNO=53,-1;BYDAY=MO;WKST=SU', 'FREQ=YEARLY;BYWEEKNO=-1,53;BYDAY=MO;WKST=SU'],
  ])('%s is %s', (text, expected) => {
    expect(canonical(text)).toBe(expected);
  });

  it('equals what is read from its canonical text', () => {
    fc.assert(
      fc.property(anyRule, ({ rule }) => {
        const again = readRule(textOf(rule)).rule;
        expect(again).toEqual(rule);
      }),
      { numRuns: 1000 },
    );
  });

  it('is the same however it is written, and different with another day', () => {
    const [one, same, other] = [
      'FREQ=WEEKLY;BYDAY=TU,MO',
      'BYDAY=MO,TU;FREQ=WEEKLY;INTERVAL=1',
      'FREQ=WEEKLY;BYDAY=MO',
    ]
      .map((text) => readRule(text).rule)
      .filter((rule) => rule !== undefined);
    if (!one || !same || !other) throw new Error('a rule was refused');
    expect(isSameRule(one, same)).toBe(true);
    expect(isSameRule(one, other)).toBe(false);
  });
});

describe('a time of day in a rule', () => {
  const nine = Temporal.PlainTime.from('09:30');

  it.each([
    ['FREQ=DAILY;BYHOUR=9', 'FREQ=DAILY'],
    ['BYSECOND=0;FREQ=WEEKLY;BYMINUTE=30;BYDAY=TU,MO;BYHOUR=09', 'FREQ=WEEKLY;BYDAY=TU,MO'],
    ['freq=hourly;byminute=30', 'FREQ=HOURLY'],
    ['FREQ=DAILY;BYHOUR=9,09', 'FREQ=DAILY'],
  ])('is dropped if it is that of the start: %s', (text, written) => {
    expect(readRule(text, nine)).toEqual({ rule: readRule(written).rule, written });
  });

  it.each([
    ['FREQ=DAILY;BYHOUR=10', 'may contain BYHOUR only as 9: the time of day is that of the start'],
    ['FREQ=DAILY;BYHOUR=9,17', 'may contain BYHOUR only as 9: the time of day is that of the start'],
    ['FREQ=DAILY;BYMINUTE=0', 'may contain BYMINUTE only as 30: the time of day is that of the start'],
    ['FREQ=DAILY;BYSECOND=60', 'may contain BYSECOND only as 0: the time of day is that of the start'],
    ['FREQ=DAILY;BYHOUR=9;BYHOUR=9', 'contains BYHOUR twice'],
    ['FREQ=HOURLY;BYHOUR=9', 'must not contain BYHOUR with FREQ=HOURLY'],
  ])('is refused otherwise: %s', (text, refusal) => {
    expect(readRule(text, nine)).toEqual({ refusal });
  });
});

const neverOccurs = 'never occurs: no date matches all of its parts';

describe('a text that is not a rule', () => {
  it.each([
    ['', 'must be KEY=VALUE parts of letters, digits and = ; , + -'],
    ['RRULE:', 'must be KEY=VALUE parts of letters, digits and = ; , + -'],
    ['FREQ=DA\u0131LY', 'must be KEY=VALUE parts of letters, digits and = ; , + -'],
    ['dtstart=20270101T090000Z;freq=daily', 'must be a rule alone, without DTSTART'],
    ['freq=minutely', 'must not recur more often than hourly, but FREQ is MINUTELY'],
    ['FREQ=DAILY; COUNT=2', 'must be KEY=VALUE parts of letters, digits and = ; , + -'],
    ['RRULE:RRULE:FREQ=DAILY', 'must be KEY=VALUE parts of letters, digits and = ; , + -'],
    ['FREQ=DAILY\nRRULE:FREQ=WEEKLY', 'must be a single line with one rule'],
    ['DTSTART:20270101T090000Z\r\nRRULE:FREQ=DAILY', 'must be a rule alone, without DTSTART'],
    ['FREQ=DAILY\nEXDATE:20270101T090000Z', 'must be a rule alone, without EXDATE'],
    ['RDATE:20270101T090000Z', 'must be a rule alone, without RDATE'],
    [`FREQ=DAILY;BYMONTH=${'1,'.repeat(100)}1`, 'must have at most 200 characters'],
    ['FREQ=DAILY;', 'contains "", which is not KEY=VALUE'],
    ['FREQ', 'contains "FREQ", which is not KEY=VALUE'],
    ['FREQ=', 'contains "FREQ=", which is not KEY=VALUE'],
    ['FREQ=DAILY=WEEKLY', 'contains "FREQ=DAILY=WEEKLY", which is not KEY=VALUE'],
    ['FREQ=DAILY;FREQ=WEEKLY', 'contains FREQ twice'],
    ['FREQ=DAILY;FOO=1', 'contains the unknown key FOO'],
    ['FREQ=DAILY;DTSTART=20270101T090000Z', 'must be a rule alone, without DTSTART'],
    ['FREQ=DAILY;BYEASTER=1', 'contains the unknown key BYEASTER'],
    ['COUNT=3', 'FREQ must be one of HOURLY, DAILY, WEEKLY, MONTHLY, YEARLY'],
    ['FREQ=SECONDLY', 'must not recur more often than hourly, but FREQ is SECONDLY'],
    ['FREQ=MINUTELY;INTERVAL=90', 'must not recur more often than hourly, but FREQ is MINUTELY'],
    ['FREQ=HOURLY;BYDAY=MO;BYSETPOS=1', 'must not contain BYSETPOS with FREQ=HOURLY'],
    ['FREQ=HOURLY;BYDAY=1MO', 'may number the days of BYDAY only with FREQ=MONTHLY or YEARLY'],
    ['FREQ=DAILY;BYHOUR=99', 'must not contain BYHOUR: the time of day is that of the start'],
    ['FREQ=DAILY;BYMINUTE=0', 'must not contain BYMINUTE: the time of day is that of the start'],
    ['FREQ=DAILY;BYSECOND=0', 'must not contain BYSECOND: the time of day is that of the start'],
    ['FREQ=DAILY;INTERVAL=0', 'INTERVAL must be a whole number from 1 to 2147483647'],
    ['FREQ=DAILY;INTERVAL=2147483648', 'INTERVAL must be a whole number from 1 to 2147483647'],
    ['FREQ=DAILY;COUNT=0', 'COUNT must be a whole number from 1 to 2147483647'],
    ['FREQ=DAILY;COUNT=-1', 'COUNT must be a whole number from 1 to 2147483647'],
    ['FREQ=DAILY;COUNT=2147483648', 'COUNT must be a whole number from 1 to 2147483647'],
    ['FREQ=DAILY;COUNT=1E9', 'COUNT must be a whole number from 1 to 2147483647'],
    ['FREQ=DAILY;COUNT=2;UNTIL=20270101', 'must not contain both COUNT and UNTIL'],
    ['FREQ=DAILY;BYMONTH=0', 'BYMONTH must be a whole number from 1 to 12'],
    ['FREQ=DAILY;BYMONTH=-1', 'BYMONTH must be a whole number from 1 to 12'],
    ['FREQ=DAILY;BYMONTH=1,,2', 'BYMONTH must be a whole number from 1 to 12'],
    ['FREQ=MONTHLY;BYMONTHDAY=32', 'BYMONTHDAY must be whole numbers from 1 to 31 or from -31 to -1'],
    ['FREQ=MONTHLY;BYMONTHDAY=0', 'BYMONTHDAY must be whole numbers from 1 to 31 or from -31 to -1'],
    ['FREQ=YEARLY;BYYEARDAY=-367', 'BYYEARDAY must be whole numbers from 1 to 366 or from -366 to -1'],
    ['FREQ=YEARLY;BYWEEKNO=54', 'BYWEEKNO must be whole numbers from 1 to 53 or from -53 to -1'],
    ['FREQ=MONTHLY;BYDAY=0MO', 'BYDAY must be whole numbers from 1 to 53 or from -53 to -1'],
    ['FREQ=MONTHLY;BYDAY=1XX', 'BYDAY must be one of MO, TU, WE, TH, FR, SA, SU'],
    ['FREQ=DAILY;WKST=1', 'WKST must be one of MO, TU, WE, TH, FR, SA, SU'],
    [`FREQ=DAILY;BYMONTH=${Array(32).fill(1)}`, 'BYMONTH must list at most 31 values'],
    ['FREQ=WEEKLY;BYDAY=1MO', 'may number the days of BYDAY only with FREQ=MONTHLY or YEARLY'],
    ['FREQ=DAILY;BYDAY=-1MO', 'may number the days of BYDAY only with FREQ=MONTHLY or YEARLY'],
    ['FREQ=YEARLY;BYWEEKNO=1;BYDAY=1MO', 'must not number the days of BYDAY together with BYWEEKNO'],
    ['FREQ=WEEKLY;BYMONTHDAY=1', 'must not contain BYMONTHDAY with FREQ=WEEKLY'],
    ['FREQ=MONTHLY;BYYEARDAY=1', 'may contain BYYEARDAY only with FREQ=YEARLY'],
    ['FREQ=MONTHLY;BYWEEKNO=1', 'may contain BYWEEKNO only with FREQ=YEARLY'],
    ['FREQ=MONTHLY;BYSETPOS=1', 'may contain BYSETPOS only together with another BY part'],
  ])('%j %s', (text, refusal) => {
    expect(readRule(text)).toEqual({ refusal });
  });

  it.each([
    '2027',
    '20270230',
    '20271301',
    '20270100',
    '00000101',
    '20270101T240000',
    '20270101T0900',
    '20270101Z',
  ])('cannot end at %s', (until) => {
    expect(readRule(`FREQ=DAILY;UNTIL=${until}`).refusal).toMatch(
      /^UNTIL must be a date or date-time such as/,
    );
  });

  it('leaves room for the end that a split adds', () => {
    const days = [-1, -2, -3, -4].flatMap((nth) => weekdays.map((weekday) => `${nth}${weekday}`));
    const rule = `FREQ=YEARLY;INTERVAL=100;BYMONTH=1,2,3,4,5,6,7;BYDAY=${days}`;
    expect(rule.length).toBeGreaterThan(177);
    expect(rule.length).toBeLessThanOrEqual(200);
    expect(readRule(rule).refusal).toBe('must have at most 177 characters besides COUNT and UNTIL');
  });
});

describe('a rule that no date can match', () => {
  it.each([
    'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=MONTHLY;BYMONTHDAY=31;BYMONTH=2,4,6,9,11',
    'FREQ=MONTHLY;BYMONTHDAY=-31;BYMONTH=2,4,6,9,11',
    'FREQ=YEARLY;BYYEARDAY=366;BYMONTH=1,2,3,4,5,6,7,8,9,10,11',
    'FREQ=YEARLY;BYWEEKNO=30;BYMONTH=2',
    'FREQ=YEARLY;BYWEEKNO=1;BYMONTH=12;BYDAY=TH',
    'FREQ=MONTHLY;BYDAY=6MO',
    'FREQ=YEARLY;BYDAY=53MO;BYMONTH=1',
    'FREQ=MONTHLY;BYDAY=1MO;BYMONTHDAY=8',
    'FREQ=MONTHLY;BYDAY=MO;BYSETPOS=6',
    'FREQ=MONTHLY;BYMONTH=2;BYSETPOS=2',
    'FREQ=WEEKLY;BYDAY=MO,TU;BYSETPOS=-3',
    'FREQ=DAILY;BYDAY=MO,TU;BYSETPOS=2',
    'FREQ=YEARLY;BYMONTH=1,2,3;BYSETPOS=4',
  ])('%s is refused', (text) => {
    expect(readRule(text).refusal).toBe(neverOccurs);
  });

  it.each([
    'FREQ=DAILY;INTERVAL=366;BYMONTH=2;BYMONTHDAY=29',
    'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=SU',
    'FREQ=YEARLY;BYYEARDAY=-366',
    'FREQ=YEARLY;BYWEEKNO=-53',
    'FREQ=YEARLY;BYWEEKNO=1;BYMONTH=12',
    'FREQ=YEARLY;BYDAY=53WE',
    'FREQ=MONTHLY;BYDAY=-5MO',
    'FREQ=YEARLY;BYMONTH=1,2,3;BYSETPOS=-3',
    'FREQ=WEEKLY;BYMONTH=1,12;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYSETPOS=7',
  ])('%s is rare, but a rule', (text) => {
    expect(readRule(text).refusal).toBeUndefined();
  });
});
