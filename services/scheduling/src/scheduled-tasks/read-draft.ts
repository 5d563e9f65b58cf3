import { invalidField, invalidFields, required } from '@crm/contract';
import { type Rule, readRule } from '@crm/recurrence';
import type { z } from 'zod';
import { type ActionType, actionTypeFor } from '../action-type.api.ts';
import type { TaskFields } from '../tasks/add-task.ts';
import type { Due } from '../tasks/due.ts';
import type { scheduledTaskApi } from './scheduled-task.api.ts';

type Draft = z.output<typeof scheduledTaskApi.create.input>;
type Sent = Partial<Draft>;

/** All values of a task from what a caller sends, with a default for each optional value that is missing. */
export function fieldsOf(draft: Draft, current?: ActionType): TaskFields {
  return {
    assigned_user_id: draft.assigned_user_id,
    contact_id: draft.contact_id ?? null,
    action_type: actionTypeFor(draft.reminder_type ?? 0, current),
    description: draft.description,
    notes: draft.notes ?? null,
    is_all_day: draft.is_all_day ?? false,
    notify_assignee: draft.notify_assignee ?? false,
    category_id: draft.category_id ?? null,
  };
}

/** The rule that is sent for a task, if any; forms send an empty text for none. Throws BadRequest. */
export function ruleOf(
  { recurrence_rule }: Sent,
  { due_local }: Due,
): { rule: Rule; written: string } | undefined {
  if (!recurrence_rule) return undefined;
  const startTime = due_local === null ? undefined : Temporal.PlainTime.from(due_local);
  const { rule, written, refusal } = readRule(recurrence_rule, startTime);
  if (!rule) throw invalidField('recurrence_rule', refusal);
  return { rule, written };
}

/** A complete draft from an update, in which every required value is present. Throws BadRequest. */
export function completeDraft(sent: Sent): Draft {
  const { assigned_user_id, due_at, description, status } = sent;
  if (
    assigned_user_id === undefined ||
    due_at === undefined ||
    description === undefined ||
    status === undefined
  ) {
    const needed = { assigned_user_id, due_at, description, status };
    const missing = Object.entries(needed).filter(([, value]) => value === undefined);
    throw invalidFields({ errors: Object.fromEntries(missing.map(([name]) => [name, required])) });
  }
  return { ...sent, assigned_user_id, due_at, description, status };
}
