import type { Rule, User } from '@crm/auth';

/** Those one has made, and those one has joined. */
export function visibleTeams({ id, team_ids }: User): Rule {
  return { $or: [{ creator_user_id: id }, { id: team_ids }] };
}

export function mayChangeTeam(user: User, team: { readonly creator_user_id: number }): boolean {
  return team.creator_user_id === user.id;
}
