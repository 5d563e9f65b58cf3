import { forbidden, invalidField } from '@crm/contract';
import type { Context } from '@crm/service';
import { identity } from '../peers.ts';
import { onlyCreatorDistributes } from './distribution-option.policy.ts';

export type Team = Awaited<ReturnType<typeof ownTeams>>[number];

/** The teams that the caller has created. */
export function ownTeams(ctx: Context) {
  return identity.asSystem(ctx).teams.createdBy({ user_id: ctx.user.id });
}

interface Membership {
  readonly team_id: number;
  readonly user_id: number;
}

/** The team in which the caller may give a member an option. Throws Forbidden and BadRequest. */
export function teamOfOption(
  { user }: Context,
  teams: readonly Team[],
  { team_id, user_id }: Membership,
): Team {
  const team = teams.find(({ id }) => id === team_id);
  if (!team && user.team_ids.includes(team_id)) throw forbidden({ message: onlyCreatorDistributes });
  if (!team) throw invalidField('team_id', 'must be a team that you have created');
  if (!team.accepted_user_ids.includes(user_id))
    throw invalidField('user_id', 'must be an accepted member of the team');
  return team;
}
