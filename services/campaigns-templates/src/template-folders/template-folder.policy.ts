import { peopleOf, type Rule, type User } from '@crm/auth';

export function visibleTemplateFolders({ id }: User): Rule {
  return { user_id: id };
}

/** A copy is given to the people one works with. */
export function mayShareFolderWith(user: User, colleague: number): boolean {
  return peopleOf(user).has(colleague);
}
