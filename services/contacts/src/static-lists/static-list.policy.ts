import type { Rule, User } from '@crm/auth';

/** Each user has their own lists. */
export function visibleStaticLists({ id }: User): Rule {
  return { owner_user_id: id, removed_at: null };
}
