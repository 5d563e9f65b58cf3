import type { Rule, User } from '@crm/auth';

/**
 * The user's own tags. The tags of a contact belong to the owner of the contact, whoever wrote them, so that a tag and
 * the contacts that have it have the same owner.
 */
export function visibleTags({ id }: User): Rule {
  return { user_id: id, removed_at: null };
}
