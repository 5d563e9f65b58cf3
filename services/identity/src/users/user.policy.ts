import { connectionsOf, type Rule, type User } from '@crm/auth';

/** Users see themselves, their teammates, their broker and their sub-accounts, unless those accounts are disabled. */
export function visibleUsers(user: User): Rule {
  return { id: [...connectionsOf(user)], disabled_at: null };
}
