import { invalidField } from '@crm/contract';
import type { Context } from '@crm/service';
import { ownTeams } from '../distribution-options/team-of-option.ts';
import { chooseRoute, type RoutedFields } from '../lead-routes/choose-route.ts';
import { recordsNamedBy } from '../lead-routes/complete-lead-routes.ts';
import { LeadRoute } from '../lead-routes/lead-route.entity.ts';
import { problemsOf } from '../lead-routes/route-problems.ts';
import { LeadSource } from '../lead-sources/lead-source.entity.ts';
import type { RolloutTeam } from '../rollout/plan.ts';
import { type RouteFacts, type Routing, settleRouting } from './settle-routing.ts';

type Lead = RoutedFields & { readonly zipcode?: number | string | null | undefined };

interface Facts extends RouteFacts {
  readonly route: LeadRoute | undefined;
  readonly teams: readonly (RouteFacts['teams'][number] & RolloutTeam)[];
}

/** The route of the caller's lead, and what other services know about it. */
export async function routeOf(ctx: Context, lead: RoutedFields): Promise<Facts> {
  const route = chooseRoute(lead, await ownRoutes(ctx));
  if (!route) return { route, problems: [], teams: [] };
  const { team_id: team = null, campaign_id: campaign, contact_source_id: contact_source } = route;
  const references = { team, campaign, contact_source };
  const isRolledOut = route.distribution_target === 'Team Rollout';
  const [records, teams] = await Promise.all([
    recordsNamedBy(ctx, [references]),
    isRolledOut ? ownTeams(ctx) : [],
  ]);
  return { route, problems: problemsOf(references, records), teams };
}

/** The routing of the caller's lead: the caller gets it unless a route says otherwise. */
export function routeLead(lead: Lead, { route, ...facts }: Facts): Routing {
  return settleRouting(lead, route, facts);
}

export function ownRoutes({ em, user }: Context) {
  return em.find(LeadRoute, { creator_user_id: user.id }, { orderBy: { id: 'asc' } });
}

/** Throws BadRequest for a source that the caller may not use; the error is the same if it does not exist. */
export async function checkSource({ em }: Context, source_id: number | null | undefined): Promise<void> {
  if (source_id == null || (await em.count(LeadSource, source_id)) > 0) return;
  throw invalidField('source_id', 'must be a lead source that you may use');
}
