import { peopleOf, type Rule, type User } from '@crm/auth';

export function visibleTemplateFolders({ id }: User): Rule {
  return { user_id: id };
}

/** Users share folders with the people they work with. */
export function mayShareFolderWith(user: User, colleague: number): boolean {
  return peopleOf(user).has(colleague);
}
