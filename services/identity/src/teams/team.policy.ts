import type { Rule, User } from '@crm/auth';

/** The teams that the user has created or joined. */
export function visibleTeams({ id, team_ids }: User): Rule {
  return { $or: [{ creator_user_id: id }, { id: team_ids }] };
}

export function mayChangeTeam(user: User, team: { readonly creator_user_id: number }): boolean {
  return team.creator_user_id === user.id;
}

export const onlyCreatorChangesTeam = 'Only the creator of a team may change or remove it.';
