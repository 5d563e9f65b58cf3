import { ownersSeenBy, peopleOf, type Rule, type User } from '@crm/auth';

/**
 * The user's own contacts, those assigned to or shared with the user, those of teammates in teams that share
 * contacts, and the broker's if the broker allows it. A broker does not see the contacts of sub-accounts.
 */
export function visibleContacts(user: User): Rule {
  return contactsOf(user, user.sharing_teammate_ids);
}

/** The contacts visible to a user, without those that are visible only because a team shares them. */
export function visibleContactsWithoutTeams(user: User): Rule {
  return contactsOf(user, []);
}

function contactsOf(user: User, others: readonly number[]): Rule {
  return {
    $or: [
      { owner_user_id: [...ownersSeenBy(user, 'is_contact_ownership_enabled'), ...others] },
      { assigned_user_id: user.id },
      { shared_user_ids: { $contains: [user.id] } },
    ],
  };
}

/** A broker may forbid sub-accounts to add their own. */
export function mayCreateContact({ broker }: User): boolean {
  return broker?.switches.is_contact_ownership_new_enabled ?? true;
}

export const brokerForbidsContacts = 'Your broker does not let you add contacts.';

/** Only the owner and the assignee may assign a contact. */
export function mayAssign(
  user: User,
  contact: { readonly owner_user_id: number; readonly assigned_user_id?: number | null },
): boolean {
  return contact.owner_user_id === user.id || contact.assigned_user_id === user.id;
}

export const onlyOwnerAssigns = 'Only the owner and the assignee of a contact may assign it.';

/** Only the owner may make an assignment by a broker permanent: the assignee was chosen by the broker. */
export function mayKeepAssignee(user: User, contact: { readonly owner_user_id: number }): boolean {
  return contact.owner_user_id === user.id;
}

/** Everyone who sees a contact may change it; only its owner may remove it. */
export function mayRemoveContact(user: User, contact: { readonly owner_user_id: number }): boolean {
  return contact.owner_user_id === user.id;
}

export const onlyOwnerRemovesContact = 'Only the owner of a contact may remove it.';

/** A contact may only be assigned to people the user works with. */
export function mayAssignTo(user: User, assignee: number): boolean {
  return peopleOf(user).has(assignee);
}
