import type { Contact } from './contact.entity.ts';

/** What events tell of a contact: who it concerns, and nothing about the person. */
export function factOf<More extends object>(contact: Contact, more: More, later = 0) {
  const { id, version, owner_user_id, assigned_user_id } = contact;
  return {
    id,
    version: version + later,
    data: { contact_id: id, owner_user_id, assigned_user_id: assigned_user_id ?? null, ...more },
  };
}
