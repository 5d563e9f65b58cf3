import { peopleOf, type User } from '@crm/auth';

interface Owned {
  readonly owner_user_id: number;
}

/** The owner and the owner's teammates may share a contact. */
export function mayShare(user: User, contact: Owned): boolean {
  return contact.owner_user_id === user.id || user.teammate_ids.includes(contact.owner_user_id);
}

export const onlyTeamShares = 'Only the owner of a contact and teammates of the owner may share it.';

/**
 * A contact may be shared with people the user works with. The owner needs no share. Nobody shares with themselves: a teammate
 * would keep the contact when its owner no longer shares with the team.
 */
export function mayShareWith(user: User, contact: Owned, colleague: number): boolean {
  return colleague !== contact.owner_user_id && colleague !== user.id && peopleOf(user).has(colleague);
}

export function mayUnshare(
  user: User,
  contact: Owned,
  share: { readonly shared_by_user_id: number },
): boolean {
  return contact.owner_user_id === user.id || share.shared_by_user_id === user.id;
}

export const onlySharerUnshares = 'Only the owner of a contact and the user who shared it may end a share.';
