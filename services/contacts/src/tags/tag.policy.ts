import type { Rule, User } from '@crm/auth';

/**
 * One's own. The tags of a contact are those of its owner, whoever wrote them, so that the owner of a contact
 * that carries a tag is the owner of the tag.
 */
export function visibleTags({ id }: User): Rule {
  return { user_id: id, removed_at: null };
}
