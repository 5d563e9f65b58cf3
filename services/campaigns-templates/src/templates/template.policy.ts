import type { Rule, User } from '@crm/auth';

/** Only the user's own. Templates are shared by giving a colleague a copy of their folder. */
export function visibleTemplates({ id }: User): Rule {
  return { user_id: id };
}
