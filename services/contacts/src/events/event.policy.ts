import type { Rule, User } from '@crm/auth';

/** A contact's events are visible to everyone who sees the contact. */
export function eventsOf(contacts: Rule): Rule {
  return { contact: [contacts] };
}

/** Without `teams`: those of some contacts, and those that the user recorded of any contact the user sees. */
export function eventsWithoutTeams({ id }: User, contacts: Rule, allContacts: Rule): Rule {
  return { $or: [eventsOf(contacts), { user_id: id, ...eventsOf(allContacts) }] };
}

/** Everyone who sees a contact may record an event; only the owner of the contact may change or remove one. */
export function mayChangeEvent(user: User, contact: { readonly owner_user_id: number }): boolean {
  return contact.owner_user_id === user.id;
}
