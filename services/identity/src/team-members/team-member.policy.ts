import type { Rule, User } from '@crm/auth';

/** One's own, whatever its state, and everyone in the teams one has made or accepted. */
export function visibleTeamMembers({ id, team_ids }: User): Rule {
  return { $or: [{ user_id: id }, { team_id: team_ids }] };
}

/** An invitation is answered by the one invited, and not even by whoever invited. */
export function mayAnswerInvitation(user: User, member: { readonly user_id: number }): boolean {
  return member.user_id === user.id;
}
