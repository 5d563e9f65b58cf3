import type { Rule, User } from '@crm/auth';

/** A contact's events are visible to everyone who sees the contact. */
export function eventsOf(contacts: Rule): Rule {
  return { contact: [contacts] };
}

/** Everyone who sees a contact may record an event; only the owner of the contact may change or remove one. */
export function mayChangeEvent(user: User, contact: { readonly owner_user_id: number }): boolean {
  return contact.owner_user_id === user.id;
}
