import { peopleOf, type Rule, type User } from '@crm/auth';

/** Whoever owns it, and whoever it is assigned to. */
export function visibleContacts({ id }: User): Rule {
  return { $or: [{ owner_user_id: id }, { assigned_user_id: id }] };
}

/** Others may change a contact they see; only its owner makes it go away. */
export function mayRemoveContact(user: User, contact: { readonly owner_user_id: number }): boolean {
  return contact.owner_user_id === user.id;
}

/** A contact is given only to people one works with. */
export function mayAssignTo(user: User, assignee: number): boolean {
  return peopleOf(user).has(assignee);
}
