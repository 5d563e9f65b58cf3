import type { Rule, User } from '@crm/auth';

/** One's own alone: whoever is to have a template of someone else is given a copy of its folder. */
export function visibleTemplates({ id }: User): Rule {
  return { user_id: id };
}
