import { peopleOf, type User } from '@crm/auth';

interface Owned {
  readonly owner_user_id: number;
}

/** The owner and the owner's teammates may share a contact. */
export function mayShare(user: User, contact: Owned): boolean {
  return contact.owner_user_id === user.id || user.teammate_ids.includes(contact.owner_user_id);
}

/** A contact may be shared with people the user works with; the owner needs no share. */
export function mayShareWith(user: User, contact: Owned, colleague: number): boolean {
  return colleague !== contact.owner_user_id && peopleOf(user).has(colleague);
}

/** Nobody may make a share permanent that a broker has made with them. */
export function mayKeepShare(user: User, share: { readonly user_id: number }): boolean {
  return share.user_id !== user.id;
}

export function mayUnshare(
  user: User,
  contact: Owned,
  share: { readonly shared_by_user_id: number },
): boolean {
  return contact.owner_user_id === user.id || share.shared_by_user_id === user.id;
}
