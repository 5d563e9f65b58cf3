import type { Rule, User } from '@crm/auth';

/** Each user has a catalogue of one's own. */
export function visibleContactSources({ id }: User): Rule {
  return { user_id: id };
}
