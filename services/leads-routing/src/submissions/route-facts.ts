import type { Context } from '@crm/service';
import { ownTeams } from '../distribution-options/team-of-option.ts';
import { chooseRoute, type RoutedFields } from '../lead-routes/choose-route.ts';
import { recordsNamedBy } from '../lead-routes/complete-lead-routes.ts';
import { LeadRoute } from '../lead-routes/lead-route.entity.ts';
import { problemsOf } from '../lead-routes/route-problems.ts';
import type { RolloutTeam } from '../rollout/plan.ts';
import type { RouteFacts } from './routing-of.ts';

interface Facts extends RouteFacts {
  readonly route: LeadRoute | undefined;
  readonly teams: readonly (RouteFacts['teams'][number] & RolloutTeam)[];
}

/** The route of the caller's lead, with facts about it from other services. */
export async function routeFactsOf(ctx: Context, lead: RoutedFields): Promise<Facts> {
  const route = chooseRoute(lead, await ownRoutes(ctx));
  if (!route) return { route, problems: [], teams: [] };
  const { team_id: team = null, campaign_id: campaign, contact_source_id: contact_source } = route;
  // The lead source needs no check: it is that of the lead, which was checked.
  const references = { team, campaign, contact_source, lead_source: route.lead_source_id };
  const isRolledOut = route.distribution_target === 'Team Rollout';
  const [records, teams] = await Promise.all([
    recordsNamedBy(ctx, [references]),
    isRolledOut ? ownTeams(ctx) : [],
  ]);
  return { route, problems: problemsOf(references, records), teams };
}

export function ownRoutes({ em, user }: Context) {
  return em.find(LeadRoute, { creator_user_id: user.id }, { orderBy: { id: 'asc' } });
}
