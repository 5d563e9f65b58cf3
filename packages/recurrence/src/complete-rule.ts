import { type Rule, weekdays } from './rule.ts';

/** The rule with its missing day taken from the start, as RFC 5545 requires; unchanged if it names a day. */
export function completeRule(rule: Rule, start: Temporal.PlainDate): Rule {
  if (rule.byDay.length + rule.byMonthDay.length + rule.byYearDay.length > 0) return rule;
  const startMonthDay = { byMonthDay: [start.day] };
  switch (rule.frequency) {
    case 'HOURLY':
    case 'DAILY':
      return rule;
    case 'WEEKLY':
      return { ...rule, byDay: weekdayOf(start) };
    case 'MONTHLY':
      return { ...rule, ...startMonthDay };
    case 'YEARLY':
      if (rule.byWeekNo.length > 0) return { ...rule, byDay: weekdayOf(start) };
      if (rule.byMonth.length > 0) return { ...rule, ...startMonthDay };
      return { ...rule, ...startMonthDay, byMonth: [start.month] };
  }
}

function weekdayOf(date: Temporal.PlainDate): Rule['byDay'] {
  return weekdays
    .filter((_, index) => index === date.dayOfWeek - 1)
    .map((weekday) => ({ nth: null, weekday }));
}
