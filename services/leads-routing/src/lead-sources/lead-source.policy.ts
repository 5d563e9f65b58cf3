import { ownersSeenBy, type Rule, type User } from '@crm/auth';

/** One's own, and the broker's where the broker lets them be used. */
export function visibleLeadSources(user: User): Rule {
  return { user_id: ownersSeenBy(user, 'is_lead_sources_enabled') };
}
