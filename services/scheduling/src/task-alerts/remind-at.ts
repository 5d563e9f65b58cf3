import { instantOf } from '@crm/recurrence';

/** The local time of reminders of all-day tasks. */
export const morning = Temporal.PlainTime.from('08:00');

interface DatedTask {
  readonly is_all_day: boolean;
  readonly due_at: string;
  readonly due_local: string;
  readonly timezone: string;
}

/** The moment of the reminder of a task. */
export function remindAt({ is_all_day, due_at, due_local, timezone }: DatedTask): string {
  if (!is_all_day) return due_at;
  const day = Temporal.PlainDateTime.from(due_local).toPlainDate();
  return instantOf(day.toPlainDateTime(morning), timezone).toString();
}
