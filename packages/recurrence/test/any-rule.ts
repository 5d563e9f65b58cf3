import fc from 'fast-check';
import { type Rule, readRule } from '../src/index.ts';
import { weekdays } from '../src/rule.ts';

/** Zones with clock changes of an hour and of half an hour, at night and at midnight, with a skipped day, and without any. */
const zones = [
  'UTC',
  'America/New_York',
  'America/St_Johns',
  'America/Sao_Paulo',
  'America/Havana',
  'Europe/London',
  'Africa/Casablanca',
  'Africa/Cairo',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Apia',
];

const signedUpTo = (max: number) => fc.oneof(fc.integer({ min: 1, max }), fc.integer({ min: -max, max: -1 }));
const listOf = <Item>(item: fc.Arbitrary<Item>, maxLength: number) =>
  fc.array(item, { minLength: 1, maxLength }).map((items) => items.join());
const sometimes = (part: fc.Arbitrary<string>) =>
  fc.option(part, { nil: undefined, freq: 2 }).map((value) => value ?? '');

const weekday = fc.constantFrom(...weekdays);
const numberedDay = (max: number) =>
  fc.oneof(
    weekday,
    fc.tuple(signedUpTo(max), weekday).map(([nth, day]) => `${nth}${day}`),
  );
const part = (key: string, value: fc.Arbitrary<string | number>) =>
  sometimes(value.map((text) => `;${key}=${text}`));

const months = part('BYMONTH', listOf(fc.integer({ min: 1, max: 12 }), 4));
const monthDays = part('BYMONTHDAY', listOf(signedUpTo(31), 4));
const positions = part('BYSETPOS', listOf(signedUpTo(3), 2));
const weeks = part('BYWEEKNO', listOf(signedUpTo(53), 3));
const yearDays = part('BYYEARDAY', listOf(signedUpTo(366), 5));
const plainDays = part('BYDAY', listOf(weekday, 4));

const byParts: [frequency: string, parts: fc.Arbitrary<string>[]][] = [
  ['DAILY', [months, monthDays, plainDays, part('BYSETPOS', fc.constantFrom(1, -1))]],
  ['WEEKLY', [months, plainDays, positions]],
  ['MONTHLY', [months, monthDays, part('BYDAY', listOf(numberedDay(5), 4)), positions]],
  ['YEARLY', [months, monthDays, part('BYDAY', listOf(numberedDay(20), 4)), positions]],
  ['YEARLY', [months, weeks, plainDays, positions]],
  ['YEARLY', [months, yearDays, plainDays, positions]],
  ['YEARLY', [weeks, yearDays, monthDays, plainDays]],
];

const twoDigits = (number: number) => String(number).padStart(2, '0');
const until = fc
  .record({
    year: fc.integer({ min: 2015, max: 2040 }),
    month: fc.integer({ min: 1, max: 12 }),
    day: fc.integer({ min: 1, max: 28 }),
    hour: fc.integer({ min: 0, max: 23 }),
    form: fc.constantFrom('date', 'local', 'utc'),
  })
  .map(({ year, month, day, hour, form }) => {
    const date = `${year}${twoDigits(month)}${twoDigits(day)}`;
    if (form === 'date') return date;
    return `${date}T${twoDigits(hour)}3000${form === 'utc' ? 'Z' : ''}`;
  });

const end = fc.oneof(
  fc.constant(''),
  fc.integer({ min: 1, max: 20 }).map((count) => `;COUNT=${count}`),
  until.map((text) => `;UNTIL=${text}`),
);
const interval = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 4 }) },
  { weight: 1, arbitrary: fc.integer({ min: 5, max: 30 }) },
);

/** A text that follows the grammar; the rule may still contradict itself or never occur. */
const ruleText = (frequency: string, parts: fc.Arbitrary<string>[]) =>
  fc
    .tuple(...parts, part('INTERVAL', interval), end, part('WKST', weekday))
    .map((texts) => `FREQ=${frequency}${texts.join('')}`);

const rulesIn = (texts: fc.Arbitrary<string>): fc.Arbitrary<{ text: string; rule: Rule }> =>
  texts
    .map((text) => ({ text, rule: readRule(text).rule }))
    .filter((each): each is { text: string; rule: Rule } => each.rule !== undefined);

/** A rule that is not hourly. */
export const anyRule = rulesIn(fc.constantFrom(...byParts).chain((each) => ruleText(...each)));

export const anyHourlyRule = rulesIn(ruleText('HOURLY', [months, monthDays, plainDays]));

/** Local times, most of them at night, when clocks change. */
export const anyStart: fc.Arbitrary<Temporal.PlainDateTime> = fc
  .record({
    year: fc.integer({ min: 2005, max: 2030 }),
    month: fc.integer({ min: 1, max: 12 }),
    day: fc.integer({ min: 1, max: 31 }),
    hour: fc.oneof({ weight: 3, arbitrary: fc.integer({ min: 0, max: 3 }) }, fc.integer({ min: 0, max: 23 })),
    minute: fc.constantFrom(0, 15, 30, 59),
  })
  .map((fields) => Temporal.PlainDateTime.from(fields));

export const anyZone = fc.constantFrom(...zones);
