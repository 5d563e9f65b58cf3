import { byIds, type Context } from '@crm/service';
import { campaignsTemplates, contacts, identity } from '../peers.ts';
import { problemsOf, type RouteReferences } from './route-problems.ts';

/** A route as stored by this service: with ids of other services' records, and only the selected fields. */
export interface LeadRouteRow extends Partial<Omit<RouteReferences, 'lead_source'>> {
  readonly id: number;
  readonly problems?: RouteReferences;
}

const all = { $limit: 1000 };
const named = { ...all, $select: ['id', 'name'] } as const;

/**
 * Adds the records of other services. These are called on behalf of the reader, so that a removed record, or one hidden
 * from the reader, is not shown here either.
 */
export const completeLeadRoutes = (ctx: Context) => async (routes: readonly LeadRouteRow[]) => {
  const records = await recordsNamedBy(
    ctx,
    routes.flatMap(({ problems, ...shown }) => [shown, problems ?? {}]),
  );
  const { teams, campaigns, sources } = records;
  return routes.map((route) => ({
    ...route,
    ...('team' in route && { team: routeTeam(teams.get(route.team ?? 0)) }),
    ...('campaign' in route && { campaign: campaigns.get(route.campaign ?? 0) ?? null }),
    ...('contact_source' in route && { contact_source: sources.get(route.contact_source ?? 0) ?? null }),
    ...(route.problems && { problems: problemsOf(route.problems, records) }),
  }));
};

/** The records that routes refer to, if the caller sees them. */
export async function recordsNamedBy(ctx: Context, routes: readonly Partial<RouteReferences>[]) {
  const [teams, campaigns, sources] = await Promise.all([
    byIds(
      routes.map(({ team }) => team),
      async (id) => (await identity.onBehalf(ctx).teams.find({ id, ...all })).data,
    ),
    byIds(
      routes.map(({ campaign }) => campaign),
      async (id) => (await campaignsTemplates.onBehalf(ctx).campaigns.find({ id, ...named })).data,
    ),
    byIds(
      routes.map(({ contact_source }) => contact_source),
      async (id) => (await contacts.onBehalf(ctx).contactSources.find({ id, ...named })).data,
    ),
  ]);
  return { teams, campaigns, sources };
}

interface Team {
  readonly id: number;
  readonly name: string;
  readonly is_contact_resource_sharing_enabled: boolean;
  readonly order_method: 'Rank' | 'Time';
  readonly mins_until_next_alert: number;
  readonly distribution_zipcodes: string | null;
}

/** Shipped clients expect different names and numbers for a team in a route than for the team itself. */
function routeTeam(team: Team | undefined) {
  if (!team) return null;
  const { is_contact_resource_sharing_enabled, order_method, ...same } = team;
  return {
    ...same,
    is_sharing_contacts: is_contact_resource_sharing_enabled ? 1 : 0,
    order_method: order_method === 'Rank' ? 1 : 2,
  };
}
