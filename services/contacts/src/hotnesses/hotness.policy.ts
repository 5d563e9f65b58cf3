import { ownersSeenBy, type Rule, type User } from '@crm/auth';

/** One's own, and the broker's where the broker shows them. */
export function visibleHotnesses(user: User): Rule {
  return { user_id: ownersSeenBy(user, 'user_can_see_broker_hotnesses') };
}

/** A broker may keep sub-accounts from having their own. */
export function mayCreateHotness({ broker }: User): boolean {
  return broker?.switches.user_can_create_own_hotnesses ?? true;
}

/** The broker's can be used, not changed. */
export function mayChangeHotness(user: User, hotness: { readonly user_id: number }): boolean {
  return hotness.user_id === user.id;
}
