import type { Rule, User } from '@crm/auth';

/** Whoever sees a contact sees what happened with it. */
export function eventsOf(contacts: Rule): Rule {
  return { contact: [contacts] };
}

/** Others add to the record of a contact; only its owner alters it. */
export function mayChangeEvent(user: User, contact: { readonly owner_user_id: number }): boolean {
  return contact.owner_user_id === user.id;
}
