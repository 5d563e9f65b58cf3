import type { Rule, User } from '@crm/auth';

/** Those one has added oneself: whoever shares a campaign does not learn of the contacts of others. */
export function visibleCampaignContacts({ id }: User): Rule {
  return { user_id: id };
}
