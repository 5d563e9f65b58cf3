import { instantOf } from '@crm/recurrence';
import type { Remindable } from './reminder.queries.ts';

/** The local time of reminders of all-day tasks. */
export const morning = Temporal.PlainTime.from('08:00');

/** The moment of the reminder of a task. */
export function remindAt({
  is_all_day,
  due_at,
  due_local,
  timezone,
}: Pick<Remindable, 'is_all_day' | 'due_at' | 'due_local' | 'timezone'>): string {
  if (!is_all_day) return due_at;
  const day = Temporal.PlainDateTime.from(due_local).toPlainDate();
  return instantOf(day.toPlainDateTime(morning), timezone).toString();
}
