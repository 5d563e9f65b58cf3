import type { Rule, User } from '@crm/auth';

/** Offers to the user, and to members of the teams that the user created: nobody else offers leads to these. */
export function visibleOffers({ id }: User): Rule {
  return { $or: [{ user_id: id }, { creator_user_id: id }] };
}
