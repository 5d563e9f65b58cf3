import type { Rule, User } from '@crm/auth';

/** Offers to the user as a member of a team, and to members of the teams that the user created. */
export function visibleOffers({ id, team_ids }: User): Rule {
  return { $or: [{ user_id: id, team_id: team_ids }, { creator_user_id: id }] };
}
