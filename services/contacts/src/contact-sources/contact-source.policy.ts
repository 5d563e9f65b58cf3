import type { Rule, User } from '@crm/auth';

/** Each user has their own sources. */
export function visibleContactSources({ id }: User): Rule {
  return { user_id: id };
}
