import { peopleOf, type Rule, type User } from '@crm/auth';

/** Oneself, teammates, one's broker and one's sub-accounts, as long as their accounts work. */
export function visibleUsers(user: User): Rule {
  return { id: [...peopleOf(user)], disabled_at: null };
}
