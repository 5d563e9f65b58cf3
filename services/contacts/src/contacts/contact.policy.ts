import { ownersSeenBy, peopleOf, type Rule, type User } from '@crm/auth';

/**
 * One's own, those assigned to one or shared with one, those of teammates in teams that share contacts, and
 * the broker's where the broker lets them be used. The broker does not see the sub-account's.
 */
export function visibleContacts(user: User): Rule {
  const owners = [...ownersSeenBy(user, 'is_contact_ownership_enabled'), ...user.sharing_teammate_ids];
  return {
    $or: [
      { owner_user_id: owners },
      { assigned_user_id: user.id },
      { shared_user_ids: { $contains: [user.id] } },
    ],
  };
}

/** Those a user works on, leaving out what others merely let be seen. */
export function ownContacts({ id }: User): Rule {
  return { $or: [{ owner_user_id: id }, { assigned_user_id: id }] };
}

/** A broker may keep sub-accounts from having their own. */
export function mayCreateContact({ broker }: User): boolean {
  return broker?.switches.is_contact_ownership_new_enabled ?? true;
}

/** Whoever merely sees a contact does not hand it on. */
export function mayAssign(
  user: User,
  contact: { readonly owner_user_id: number; readonly assigned_user_id?: number | null },
): boolean {
  return contact.owner_user_id === user.id || contact.assigned_user_id === user.id;
}

/** Others may change a contact they see; only its owner makes it go away. */
export function mayRemoveContact(user: User, contact: { readonly owner_user_id: number }): boolean {
  return contact.owner_user_id === user.id;
}

/** A contact is given only to people one works with. */
export function mayAssignTo(user: User, assignee: number): boolean {
  return peopleOf(user).has(assignee);
}
