import { alternativesIn, ownersIn, type Rule, type User } from '@crm/auth';

/** A contact's events are visible to everyone who sees the contact. */
export function eventsOf(contacts: Rule): Rule {
  return { contact: [contacts] };
}

/**
 * The visible events, by the reasons for which their contacts are visible. Each event has the owner of its contact, so
 * the contacts need not be read for reasons that depend only on the owner.
 */
export function eventsByReason(contacts: Rule): Rule {
  const reasons = alternativesIn(contacts);
  return { $or: reasons.map((reason) => (ownersIn(reason)?.field === owner ? reason : eventsOf(reason))) };
}

const owner = 'owner_user_id';

/** The events without those that are visible only through a team, except for those that the user recorded. */
export function eventsWithoutTeams(user: User, events: Rule): Rule {
  // The index contains only events of contacts of others.
  const recorded = { user_id: user.id, [owner]: user.sharing_teammate_ids, is_of_another: true };
  return user.sharing_teammate_ids.length > 0 ? { $or: [...alternativesIn(events), recorded] } : events;
}

/** Everyone who sees a contact may record an event; only the owner of the contact may change or remove one. */
export function mayChangeEvent(user: User, contact: { readonly owner_user_id: number }): boolean {
  return contact.owner_user_id === user.id;
}

export const onlyOwnerChangesEvent = 'Only the owner of the contact may change or remove its events.';
