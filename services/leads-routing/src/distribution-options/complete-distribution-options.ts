import { byIds, type Context } from '@crm/service';
import { usersById } from '../names.ts';
import { identity } from '../peers.ts';

/** An option as stored by this service, with only the selected fields. */
export interface DistributionOptionRow {
  readonly id: number;
  readonly team?: number;
  readonly user?: number;
  readonly mins_until_lead_offer?: { readonly team_id: number; readonly mins: number };
}

/**
 * Adds names from identity. For a team that orders by rank, shows 0 minutes even before the event about that change has
 * cleared them.
 */
export const completeDistributionOptions =
  (ctx: Context) => async (options: readonly DistributionOptionRow[]) => {
    const timed = options.map((option) => option.mins_until_lead_offer).filter((timing) => timing?.mins);
    const [teams, users] = await Promise.all([
      byIds(
        [...options.map(({ team }) => team), ...timed.map((timing) => timing?.team_id)],
        async (id) => (await identity.onBehalf(ctx).teams.find({ id, $limit: 1000 })).data,
      ),
      usersById(
        ctx,
        options.map(({ user }) => user),
      ),
    ]);
    return options.map(({ team, user, mins_until_lead_offer: timing, ...own }) => {
      const { name, order_method } = teams.get(team ?? timing?.team_id ?? 0) ?? {};
      return {
        ...own,
        ...(team !== undefined && { team: name === undefined ? null : { id: team, name } }),
        ...(user !== undefined && { user: users.get(user) ?? null }),
        ...(timing && { mins_until_lead_offer: order_method === 'Time' ? timing.mins : 0 }),
      };
    });
  };
