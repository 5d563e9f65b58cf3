import type { Rule, User } from '@crm/auth';

/** Each user has routes of one's own, and what one does not see one cannot change. */
export function visibleLeadRoutes({ id }: User): Rule {
  return { creator_user_id: id };
}
