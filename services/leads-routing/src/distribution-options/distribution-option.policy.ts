import type { Rule, User } from '@crm/auth';

/** Users see the options of the teams that they have created or joined. A removed team has no members. */
export function visibleDistributionOptions({ team_ids }: User): Rule {
  return { team_id: team_ids };
}

/** Members see how leads are distributed, but only the creator of the team decides it. */
export function mayChangeDistributionOption(
  user: User,
  option: { readonly creator_user_id: number },
): boolean {
  return option.creator_user_id === user.id;
}

export const onlyCreatorDistributes = 'Only the creator of a team may decide how its leads are distributed.';
