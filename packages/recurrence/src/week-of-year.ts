import { type Weekday, weekdays } from './rule.ts';

/**
 * The week that contains a date: the year that it belongs to, its number, and its number from the end (-1 is the last). A week
 * belongs to the year of its fourth day, which contains at least four of its days.
 */
export function weekOf(date: Temporal.PlainDate, weekStart: Weekday) {
  const fourth = date.add({ days: 3 - daysIntoWeek(date, weekStart) });
  return {
    year: fourth.year,
    number: Math.ceil(fourth.dayOfYear / 7),
    fromEnd: -Math.ceil((fourth.daysInYear - fourth.dayOfYear + 1) / 7),
  };
}

export function daysIntoWeek(date: Temporal.PlainDate, weekStart: Weekday): number {
  return (date.dayOfWeek - 1 - weekdays.indexOf(weekStart) + 7) % 7;
}
