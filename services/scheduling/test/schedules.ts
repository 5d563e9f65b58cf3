import { expect } from 'vitest';
import { schedule } from '../src/enrolments/schedule.ts';
import type { Action } from '../src/enrolments/when-of.ts';

export const base: Action = {
  id: 1,
  type: 'Email Contact',
  assigned_user_id: null,
  timing_type: 'Delay by Minutes',
  recurrence: null,
  event_trigger_type: '1',
  delay_by_seconds: null,
  delay_by_days: null,
  dispatch_time: null,
  dispatch_datetime: null,
  notes: null,
  is_stopped_on_text_reply: false,
  template: null,
};
export const reminder = { type: 'Agent Task - Call Reminder' } as const;
export const onDay = (delay_by_days: number, dispatch_time: string) =>
  ({ timing_type: 'Delay by Day and Time', delay_by_days, dispatch_time }) as const;
export const every = (recurrence: string, delay_by_days: number, dispatch_time: string) =>
  ({ ...reminder, timing_type: 'Recurring', recurrence, delay_by_days, dispatch_time }) as const;
export const onBirthday = { event_trigger_type: '2' } as const;

interface Facts {
  readonly start?: string;
  readonly zone?: string;
  readonly birthday?: string | null;
}

/** When one action happens, or why it does not. */
export function happens(
  action: Partial<Action>,
  { start = '2026-03-02T18:00:00Z', zone = 'America/New_York', birthday = null }: Facts = {},
): string {
  const facts = { start: Temporal.Instant.from(start), zone, birthday };
  const { communications, tasks, skipped } = schedule([{ ...base, ...action }], facts);
  expect(communications.length + tasks.length + skipped.length).toBe(1);
  const moment = communications[0]?.send_at ?? tasks[0]?.first.instant;
  return moment?.toString() ?? skipped[0]?.reason ?? '';
}
