import type { Rule, User } from '@crm/auth';
import { visibleContacts, visibleContactsWithoutTeams } from '../contacts/contact.policy.ts';

/** A contact's events are visible to everyone who sees the contact. */
export function eventsOf(contacts: Rule): Rule {
  return { contact: [contacts] };
}

/** Without `teams`: of contacts that only a team shares, a user sees those that the user recorded. */
export function visibleEventsWithoutTeams(user: User): Rule {
  const events = eventsOf(visibleContactsWithoutTeams(user));
  if (user.sharing_teammate_ids.length === 0) return events;
  return { $or: [events, { user_id: user.id, ...eventsOf(visibleContacts(user)) }] };
}

/** Everyone who sees a contact may record an event; only the owner of the contact may change or remove one. */
export function mayChangeEvent(user: User, contact: { readonly owner_user_id: number }): boolean {
  return contact.owner_user_id === user.id;
}
