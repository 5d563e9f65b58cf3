import { type FieldError, invalidFields, notInYourTeams, unknownRecord } from '@crm/contract';
import { type Context, demandOwnPerson } from '@crm/service';
import { LockMode } from '@mikro-orm/core';
import { isEnded } from '../enrolment-ends/enrolment-end.queries.ts';
import { contacts } from '../peers.ts';
import { TaskCategory } from '../task-categories/task-category.entity.ts';
import { isRemoved } from './reference.queries.ts';
import { mayAssignTo } from './task.policy.ts';

interface References {
  readonly assigned_user_id?: number | null | undefined;
  readonly contact_id?: number | null | undefined;
  readonly category_id?: number | null | undefined;
}

/** Whether the caller sees the contact that a task refers to, if there is one. */
export async function seesContact(ctx: Context, { contact_id }: References): Promise<boolean> {
  if (contact_id == null) return true;
  const seen = await contacts.onBehalf(ctx).contacts.access({ ids: [contact_id] });
  return seen.length > 0;
}

/**
 * Refuses references to records that the caller cannot use, as if they did not exist. A reference that a task already has may
 * stay: an update sends every value, even if the caller sees less than the owner. This does not include a removed category, which
 * the task no longer shows.
 */
export async function checkReferences(
  { em, query, user }: Context,
  sent: References,
  isContactSeen: boolean,
  current: References = {},
): Promise<void> {
  const { assigned_user_id, contact_id, category_id } = sent;
  const errors: Record<string, string | FieldError> = {};
  if (assigned_user_id != null && assigned_user_id !== current.assigned_user_id) {
    demandOwnPerson(user, assigned_user_id);
    if (!mayAssignTo(user, assigned_user_id)) errors.assigned_user_id = notInYourTeams(assigned_user_id);
  }
  if (category_id != null && (category_id !== current.category_id || (await isRemoved(query, category_id)))) {
    const category = await em.findOne(TaskCategory, category_id, { lockMode: LockMode.PESSIMISTIC_READ });
    if (!category) errors.category_id = unknownRecord(category_id);
  }
  if (contact_id != null && contact_id !== current.contact_id) {
    // Contacts was asked before this transaction. A removal waits until the transaction ends, and then finds the task.
    const isGone = !isContactSeen || (await isEnded(query, [{ what: 'contact', id: contact_id }]));
    if (isGone) errors.contact_id = unknownRecord(contact_id);
  }
  if (Object.keys(errors).length > 0) throw invalidFields({ errors });
}
