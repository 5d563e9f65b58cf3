import { ownersSeenBy, type Rule, type User } from '@crm/auth';

/** The user's own hotnesses, and the broker's if the broker shows them. */
export function visibleHotnesses(user: User): Rule {
  return { user_id: ownersSeenBy(user, 'user_can_see_broker_hotnesses'), removed_at: null };
}

/** A broker may forbid sub-accounts to create their own. */
export function mayCreateHotness({ broker }: User): boolean {
  return broker?.switches.user_can_create_own_hotnesses ?? true;
}

export const brokerForbidsHotnesses = 'Your broker does not let you add hotnesses.';

/** Sub-accounts can use the broker's hotnesses, but not change them. */
export function mayChangeHotness(user: User, hotness: { readonly user_id: number }): boolean {
  return hotness.user_id === user.id;
}

export const onlyOwnerChangesHotness = 'Only the owner of a hotness may change or remove it.';
