import { canOccur } from './can-occur.ts';
import { frequencies, type Rule, textOf, weekdays } from './rule.ts';
import { maxLength, partsOf } from './rule-parts.ts';
import { RuleRefused } from './rule-refused.ts';
import { daysOf, numbersUpTo, numberUpTo, oneOf, signedNumbersUpTo, untilOf } from './rule-values.ts';
import { isTimePart, refuseOtherTimes } from './time-of-day.ts';

/** A rule, or what is wrong with the text, phrased to follow the name of its field. */
type RuleReading =
  | {
      readonly rule: Rule;
      /**
       * The text with its parts in their original order, in upper case and without the time of day, which is that of the start.
       */
      readonly written: string;
      readonly refusal?: undefined;
    }
  | { readonly rule?: undefined; readonly written?: undefined; readonly refusal: string };

/**
 * Reads an RFC 5545 rule, as far as this package supports it. The rule may repeat the time of day of the start, if `startTime` is
 * given. Never throws.
 */
export function readRule(text: string, startTime?: Temporal.PlainTime): RuleReading {
  try {
    const parts = partsOf(text);
    refuseOtherTimes(parts, startTime);
    const rule = ruleOf(parts);
    refuseContradictions(rule);
    if (!canOccur(rule)) throw new RuleRefused('never occurs: no date matches all of its parts');
    return { rule, written: writtenOf(parts) };
  } catch (error) {
    if (error instanceof RuleRefused) return { refusal: error.message };
    throw error;
  }
}

const writtenOf = (parts: ReadonlyMap<string, string>): string =>
  [...parts]
    .filter(([key]) => !isTimePart(key))
    .map((part) => part.join('='))
    .join(';');

function ruleOf(parts: Map<string, string>): Rule {
  const value = (key: string) => parts.get(key);
  const count = value('COUNT');
  const until = value('UNTIL');
  return {
    frequency: frequencyOf(value('FREQ') ?? ''),
    interval: numberUpTo(maxNumber, 'INTERVAL', value('INTERVAL') ?? '1'),
    count: count === undefined ? null : numberUpTo(maxNumber, 'COUNT', count),
    until: until === undefined ? null : untilOf(until),
    byMonth: numbersUpTo(12, 'BYMONTH', value('BYMONTH')),
    byWeekNo: signedNumbersUpTo(53, 'BYWEEKNO', value('BYWEEKNO')),
    byYearDay: signedNumbersUpTo(366, 'BYYEARDAY', value('BYYEARDAY')),
    byMonthDay: signedNumbersUpTo(31, 'BYMONTHDAY', value('BYMONTHDAY')),
    byDay: daysOf('BYDAY', value('BYDAY')),
    bySetPos: signedNumbersUpTo(366, 'BYSETPOS', value('BYSETPOS')),
    weekStart: oneOf('WKST', weekdays, value('WKST') ?? 'MO'),
  };
}

/** An unlimited count is safe, because only occurrences of the near future are created. */
const maxNumber = 2_147_483_647;

function frequencyOf(text: string): Rule['frequency'] {
  if (text === 'SECONDLY' || text === 'MINUTELY') {
    throw new RuleRefused(`must not recur more often than hourly, but FREQ is ${text}`);
  }
  return oneOf('FREQ', frequencies, text);
}

function refuseContradictions(rule: Rule): void {
  const contradiction = contradictions.find(({ applies }) => applies(rule));
  if (contradiction) throw new RuleRefused(contradiction.refusal);
}

const isNumbered = ({ byDay }: Rule) => byDay.some(({ nth }) => nth !== null);
const endLength = ';UNTIL=20270331T090000Z'.length;

const contradictions: readonly { refusal: string; applies: (rule: Rule) => boolean }[] = [
  {
    refusal: 'must not contain both COUNT and UNTIL',
    applies: (rule) => rule.count !== null && rule.until !== null,
  },
  {
    refusal: 'may number the days of BYDAY only with FREQ=MONTHLY or YEARLY',
    applies: (rule) => isNumbered(rule) && rule.frequency !== 'MONTHLY' && rule.frequency !== 'YEARLY',
  },
  {
    refusal: 'must not number the days of BYDAY together with BYWEEKNO',
    applies: (rule) => isNumbered(rule) && rule.byWeekNo.length > 0,
  },
  {
    refusal: 'must not contain BYMONTHDAY with FREQ=WEEKLY',
    applies: (rule) => rule.byMonthDay.length > 0 && rule.frequency === 'WEEKLY',
  },
  {
    refusal: 'may contain BYYEARDAY only with FREQ=YEARLY',
    applies: (rule) => rule.byYearDay.length > 0 && rule.frequency !== 'YEARLY',
  },
  {
    refusal: 'may contain BYWEEKNO only with FREQ=YEARLY',
    applies: (rule) => rule.byWeekNo.length > 0 && rule.frequency !== 'YEARLY',
  },
  {
    refusal: 'must not contain BYSETPOS with FREQ=HOURLY',
    applies: (rule) => rule.bySetPos.length > 0 && rule.frequency === 'HOURLY',
  },
  {
    refusal: 'may contain BYSETPOS only together with another BY part',
    applies: (rule) =>
      rule.bySetPos.length > 0 &&
      [rule.byMonth, rule.byWeekNo, rule.byYearDay, rule.byMonthDay, rule.byDay].every(
        (list) => !list.length,
      ),
  },
  {
    // Ensures that the result of `endBefore` can always be read again.
    refusal: `must have at most ${maxLength - endLength} characters besides COUNT and UNTIL`,
    applies: (rule) => textOf({ ...rule, count: null, until: null }).length > maxLength - endLength,
  },
];
