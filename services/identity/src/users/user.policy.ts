import { connectionsOf, type Rule, type User } from '@crm/auth';

/** Yourself, your teammates, your broker and your sub-accounts, unless their accounts are disabled. */
export function visibleUsers(user: User): Rule {
  return { id: [...connectionsOf(user)], disabled_at: null };
}
