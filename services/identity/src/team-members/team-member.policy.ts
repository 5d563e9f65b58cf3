import type { Rule, User } from '@crm/auth';

/** Users see their own memberships in any state, and everybody in the teams they have created or joined. */
export function visibleTeamMembers({ id, team_ids }: User): Rule {
  return { $or: [{ user_id: id }, { team_id: team_ids }] };
}

/** Only the invited user can answer an invitation; not even the creator of the team can. */
export function mayAnswerInvitation(user: User, member: { readonly user_id: number }): boolean {
  return member.user_id === user.id;
}

export const onlyInvitedAnswers = 'Only the invited user may answer an invitation.';
