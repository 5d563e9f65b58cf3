import { type Condition, noRecord } from '@crm/contract';
import type { Context } from '@crm/service';
import { DistributionOption } from './distribution-option.entity.ts';
import { ownTeams, type Team } from './team-of-option.ts';

type Option = Pick<DistributionOption, 'team_id' | 'user_id'>;

/**
 * True for the caller's own option in a team that the caller created and has left. Other members who leave no longer
 * see the team, but its creator does, and must not see the option in the time until the event removes it.
 */
const isOfLeftTeam = ({ user }: Context, { team_id, user_id }: Option, teams: readonly Team[]): boolean =>
  user_id === user.id &&
  teams.some((team) => team.id === team_id && !team.accepted_user_ids.includes(user_id));

/** Adds a condition that excludes the caller's options in teams that the caller has left. */
export async function exceptLeftTeams(
  ctx: Context,
  where: readonly Condition[] = [],
): Promise<readonly Condition[]> {
  const { id: user_id } = ctx.user;
  const own = await ctx.em.find(DistributionOption, { user_id, creator_user_id: user_id });
  if (own.length === 0) return where;
  const teams = await ownTeams(ctx);
  const left = own.filter((option) => isOfLeftTeam(ctx, option, teams)).map(({ id }) => id);
  return left.length === 0 ? where : [...where, { field: 'id', op: '$nin', value: left }];
}

/** Throws NotFound for an option that `exceptLeftTeams` excludes. */
export function demandTeamNotLeft(ctx: Context, option: DistributionOption, teams: readonly Team[]): void {
  if (isOfLeftTeam(ctx, option, teams)) throw noRecord(option.id);
}
