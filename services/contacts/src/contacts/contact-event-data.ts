import type { Contact } from './contact.entity.ts';

/** What events tell of a contact: who it concerns, and nothing about the person. */
export function eventData<More extends object>(contact: Contact, more: More) {
  const { id, owner_user_id, assigned_user_id } = contact;
  return { contact_id: id, owner_user_id, assigned_user_id: assigned_user_id ?? null, ...more };
}
