import { ownersSeenBy, type Rule, type User } from '@crm/auth';

/** The user's own fields, and the broker's if the broker shows them. */
export function visibleCustomFields(user: User): Rule {
  return { user_id: ownersSeenBy(user, 'is_custom_fields_enabled'), removed_at: null };
}

/** A broker may forbid sub-accounts to create their own. */
export function mayCreateCustomField({ broker }: User): boolean {
  return broker?.switches.is_custom_fields_new_enabled ?? true;
}

export const brokerForbidsCustomFields = 'Your broker does not let you add custom fields.';

/** Sub-accounts can use the broker's fields, but not change them. */
export function mayChangeCustomField(user: User, customField: { readonly user_id: number }): boolean {
  return customField.user_id === user.id;
}

export const onlyOwnerChangesCustomField = 'Only the owner of a custom field may change or remove it.';
