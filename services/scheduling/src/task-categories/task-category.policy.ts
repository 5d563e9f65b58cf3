import type { Rule, User } from '@crm/auth';

/** The user's own, and those that everyone has. */
export function visibleTaskCategories({ id }: User): Rule {
  return { $or: [{ user_id: id }, { user_id: null }], removed_at: null };
}

/** Nobody can change those that everyone has. */
export function mayChangeTaskCategory(
  user: User,
  category: { readonly user_id?: number | null | undefined },
): boolean {
  return category.user_id === user.id;
}

export const onlyOwnerChangesCategory = 'Only the owner of a task category may change or remove it.';
