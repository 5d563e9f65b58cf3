import type { Rule, User } from '@crm/auth';

/** Those made to oneself, and those made to members of the teams one has created: nobody else offers leads to these. */
export function visibleOffers({ id }: User): Rule {
  return { $or: [{ user_id: id }, { creator_user_id: id }] };
}
