import type { Rule, User } from '@crm/auth';

/** One's own, and those that everyone has. */
export function visibleTaskCategories({ id }: User): Rule {
  return { $or: [{ user_id: id }, { user_id: null }] };
}

/** Those that everyone has are nobody's to change. */
export function mayChangeTaskCategory(
  user: User,
  category: { readonly user_id?: number | null | undefined },
): boolean {
  return category.user_id === user.id;
}
