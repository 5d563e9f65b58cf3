import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { occurrences, readRule } from '../src/index.ts';
import { watchLibrary } from './watch-library.ts';

const start = Temporal.PlainDateTime.from('2027-01-01T09:00');
const zone = 'America/New_York';

afterEach(() => vi.restoreAllMocks());

describe('a hostile rule', () => {
  it.each([
    'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=YEARLY;BYWEEKNO=30;BYMONTH=2',
    'FREQ=WEEKLY;BYDAY=MO,TU;BYSETPOS=-3',
    'FREQ=YEARLY;BYWEEKNO=53;BYMONTH=6;BYSETPOS=366',
  ])('%s is refused after reading at most 210 years', (text) => {
    const work = watchLibrary();
    expect(readRule(text).refusal).toMatch(/^never occurs/);
    expect(work.calls).toBeGreaterThan(0);
    expect(work.calls).toBeLessThanOrEqual(210);
    expect(work.maxPeriods).toBe(1);
  });

  it.each([
    ['FREQ=DAILY;INTERVAL=7;BYDAY=MO', 0],
    ['FREQ=DAILY;INTERVAL=366;BYMONTH=2;BYMONTHDAY=29', 1],
    ['FREQ=MONTHLY;INTERVAL=12;BYMONTH=2', 0],
    ['FREQ=YEARLY;INTERVAL=4;BYMONTH=2;BYMONTHDAY=29', 0],
    ['FREQ=YEARLY;INTERVAL=366', 1],
    ['FREQ=YEARLY;COUNT=1000', 151],
  ])('%s ends after reading at most 153 years', (text, found) => {
    const { rule, refusal } = readRule(text);
    if (!rule) throw new Error(refusal);
    const work = watchLibrary();
    expect(occurrences(rule, start, zone, { limit: 1000 })).toHaveLength(found);
    expect(work.calls).toBeGreaterThan(0);
    expect(work.calls).toBeLessThanOrEqual(153);
    expect(work.maxPeriods).toBe(1);
  });

  it.each([
    ['FREQ=DAILY;INTERVAL=366;BYMONTH=2;BYMONTHDAY=29;COUNT=1', 2],
    ['FREQ=DAILY;INTERVAL=366;BYMONTH=2;BYMONTHDAY=29', 1],
  ])('%s is not computed past the limit', (text, limit) => {
    const { rule } = readRule(text);
    if (!rule) throw new Error('refused');
    const work = watchLibrary();
    const leapDay = Temporal.PlainDateTime.from('2028-02-29T09:00');
    expect(occurrences(rule, leapDay, zone, { limit })).toHaveLength(1);
    expect(work.calls).toBe(1);
  });

  it('is not computed past the window', () => {
    const { rule } = readRule('FREQ=DAILY;INTERVAL=7;BYDAY=MO');
    if (!rule) throw new Error('refused');
    const work = watchLibrary();
    occurrences(rule, start, zone, { until: Temporal.Instant.from('2028-06-01T00:00Z'), limit: 1 });
    expect(work.calls).toBeLessThanOrEqual(4);
  });
});

const piece = fc.constantFrom(
  ...[
    'FREQ',
    'INTERVAL',
    'COUNT',
    'UNTIL',
    'BYMONTH',
    'BYMONTHDAY',
    'BYDAY',
    'BYYEARDAY',
    'BYWEEKNO',
    'BYSETPOS',
  ],
  ...[
    'WKST',
    'BYHOUR',
    'DTSTART',
    'RRULE:',
    '__proto__',
    'constructor',
    'SECONDLY',
    'DAILY',
    'MONTHLY',
    'YEARLY',
  ],
  ...[
    '=',
    ';',
    ',',
    '-',
    '+',
    '\n',
    '\0',
    ' ',
    'MO',
    '1MO',
    '-1FR',
    '20270230',
    '20271231T000000Z',
    'Infinity',
    'NaN',
  ],
);
const number = fc.integer({ min: -400, max: 1100 }).map(String);
const assignment = fc
  .tuple(piece, fc.array(fc.oneof(number, piece), { minLength: 1, maxLength: 4 }))
  .map(([key, values]) => `;${key}=${values.join()}`);
const hostileText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.array(fc.oneof(piece, number), { maxLength: 30 }).map((pieces) => pieces.join('')),
  fc
    .tuple(
      fc.constantFrom('DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY', 'HOURLY'),
      fc.array(assignment, { maxLength: 4 }),
    )
    .map(([frequency, parts]) => `FREQ=${frequency}${parts.join('')}`),
);

describe('each of 10,000 texts that a client might send', () => {
  it('is either a rule with occurrences, or refused with a reason', () => {
    let rules = 0;
    fc.assert(
      fc.property(hostileText, (text) => {
        const { rule, refusal } = readRule(text);
        if (rule) rules += 1;
        if (rule) expect(occurrences(rule, start, zone, { limit: 3 }).length).toBeLessThanOrEqual(3);
        else expect(refusal).toMatch(/^[A-Za-z].{10,}$/);
      }),
      { numRuns: 10_000 },
    );
    expect(rules).toBeGreaterThan(100);
  });
});
