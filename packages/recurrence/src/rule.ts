export const frequencies = ['HOURLY', 'DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const;
type Frequency = (typeof frequencies)[number];

export const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const;
export type Weekday = (typeof weekdays)[number];

/** Every such weekday, or the nth of its month or year; a negative nth counts from the end. */
export type RuleDay = { readonly nth: number | null; readonly weekday: Weekday };

/**
 * An RFC 5545 recurrence rule (section 3.3.10), normalized: lists are sorted and have no duplicates, and an empty list restricts
 * nothing. `until` keeps the form of the text, which determines what it is compared with.
 */
export type Rule = {
  readonly frequency: Frequency;
  readonly interval: number;
  readonly count: number | null;
  readonly until: string | null;
  readonly byMonth: readonly number[];
  readonly byWeekNo: readonly number[];
  readonly byYearDay: readonly number[];
  readonly byMonthDay: readonly number[];
  readonly byDay: readonly RuleDay[];
  readonly bySetPos: readonly number[];
  readonly weekStart: Weekday;
};

/** The canonical text, without `RRULE:` and without RFC 5545 defaults. */
export function textOf(rule: Rule): string {
  const parts: [key: string, value: string][] = [
    ['FREQ', rule.frequency],
    ['INTERVAL', rule.interval === 1 ? '' : String(rule.interval)],
    ['COUNT', String(rule.count ?? '')],
    ['UNTIL', rule.until ?? ''],
    ['BYMONTH', rule.byMonth.join()],
    ['BYWEEKNO', rule.byWeekNo.join()],
    ['BYYEARDAY', rule.byYearDay.join()],
    ['BYMONTHDAY', rule.byMonthDay.join()],
    ['BYDAY', rule.byDay.map(({ nth, weekday }) => `${nth ?? ''}${weekday}`).join()],
    ['BYSETPOS', rule.bySetPos.join()],
    ['WKST', rule.weekStart === 'MO' ? '' : rule.weekStart],
  ];
  return parts
    .filter(([, value]) => value)
    .map((part) => part.join('='))
    .join(';');
}

/** Whether both are the same rule, however they were written. */
export function isSameRule(a: Rule, b: Rule): boolean {
  return textOf(a) === textOf(b);
}
