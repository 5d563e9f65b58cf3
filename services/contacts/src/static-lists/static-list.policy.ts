import type { Rule, User } from '@crm/auth';

/** Each user has lists of one's own. */
export function visibleStaticLists({ id }: User): Rule {
  return { owner_user_id: id };
}
