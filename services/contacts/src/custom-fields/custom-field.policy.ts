import { ownersSeenBy, type Rule, type User } from '@crm/auth';

/** One's own, and the broker's where the broker shows them; what teammates make is theirs. */
export function visibleCustomFields(user: User): Rule {
  return { user_id: ownersSeenBy(user, 'is_custom_fields_enabled') };
}

/** A broker may keep sub-accounts from having their own. */
export function mayCreateCustomField({ broker }: User): boolean {
  return broker?.switches.is_custom_fields_new_enabled ?? true;
}

/** The broker's can be used, not changed. */
export function mayChangeCustomField(user: User, customField: { readonly user_id: number }): boolean {
  return customField.user_id === user.id;
}
