import type { Rule, User } from '@crm/auth';

/** Those of the teams one has made or joined. Of a team that is gone nobody is a member. */
export function visibleDistributionOptions({ team_ids }: User): Rule {
  return { team_id: team_ids };
}

/** Members see how leads are shared out; who made the team decides on it. */
export function mayChangeDistributionOption(
  user: User,
  option: { readonly creator_user_id: number },
): boolean {
  return option.creator_user_id === user.id;
}
