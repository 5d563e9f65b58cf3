import type { Rule, User } from '@crm/auth';

/** Users see the offers to themselves as members of a team, and to members of the teams that they created. */
export function visibleOffers({ id, team_ids }: User): Rule {
  return { $or: [{ user_id: id, team_id: team_ids }, { creator_user_id: id }] };
}
