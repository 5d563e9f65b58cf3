import type { Rule, User } from '@crm/auth';

/** Each user has their own. */
export function visibleImports({ id }: User): Rule {
  return { user_id: id };
}
