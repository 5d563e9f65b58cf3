import type { Rule, User } from '@crm/auth';

/** Users see only the contacts they added: users who share a campaign do not see each other's contacts. */
export function visibleCampaignContacts({ id }: User): Rule {
  return { user_id: id };
}
