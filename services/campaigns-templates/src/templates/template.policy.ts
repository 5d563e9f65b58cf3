import type { Rule, User } from '@crm/auth';

/** The user's own templates. A template is shared by giving a colleague a copy of its folder. */
export function visibleTemplates({ id }: User): Rule {
  return { user_id: id };
}
