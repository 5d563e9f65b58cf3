import type { Rule, User } from '@crm/auth';

/** Your own membership in any state, and everybody in the teams you have created or joined. */
export function visibleTeamMembers({ id, team_ids }: User): Rule {
  return { $or: [{ user_id: id }, { team_id: team_ids }] };
}

/** Only the invited user answers an invitation, not even the team's creator. */
export function mayAnswerInvitation(user: User, member: { readonly user_id: number }): boolean {
  return member.user_id === user.id;
}

export const onlyInvitedAnswers = 'Only the invited user may answer an invitation.';
