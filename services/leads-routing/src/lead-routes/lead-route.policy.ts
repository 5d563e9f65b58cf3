import type { Rule, User } from '@crm/auth';

/** Users see only their own routes, and cannot change what they do not see. */
export function visibleLeadRoutes({ id }: User): Rule {
  return { creator_user_id: id };
}
