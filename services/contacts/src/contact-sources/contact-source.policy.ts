import type { Rule, User } from '@crm/auth';

/** Each user has their own sources. */
export function visibleContactSources({ id }: User): Rule {
  return { user_id: id, removed_at: null };
}

/** A broker may forbid sub-accounts to add their own, because each becomes a lead source. */
export function mayCreateContactSource({ broker }: User): boolean {
  return broker?.switches.is_lead_sources_new_enabled ?? true;
}

export const brokerForbidsSources = 'Your broker does not let you add contact sources.';
