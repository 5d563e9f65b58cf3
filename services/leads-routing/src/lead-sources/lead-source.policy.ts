import { ownersSeenBy, type Rule, type User } from '@crm/auth';

/** Users see their own lead sources, and the broker's if the broker shares them. */
export function visibleLeadSources(user: User): Rule {
  return { user_id: leadSourceOwners(user) };
}

export function leadSourceOwners(user: User): number[] {
  return ownersSeenBy(user, 'is_lead_sources_enabled');
}
