import { wrong } from '@crm/contract';
import type { Context } from '@crm/service';
import { chooseRoute, type RoutedFields } from '../lead-routes/choose-route.ts';
import { LeadRoute } from '../lead-routes/lead-route.entity.ts';
import { LeadSource } from '../lead-sources/lead-source.entity.ts';

/** The routing of the caller's lead: the caller gets it unless a route says otherwise. */
export async function routeLead(ctx: Context, lead: RoutedFields) {
  const route = chooseRoute(lead, await ownRoutes(ctx));
  return {
    lead_route_id: route?.id ?? null,
    distribution_target: route?.distribution_target ?? 'Myself',
    team_selection_method: route?.team_selection_method ?? null,
    team_id: route?.team_id ?? null,
  } as const;
}

export function ownRoutes({ em, user }: Context) {
  return em.find(LeadRoute, { creator_user_id: user.id }, { orderBy: { id: 'asc' } });
}

/** Throws BadRequest for a source that the caller may not use; the error is the same if it does not exist. */
export async function checkSource({ em }: Context, source_id: number | null | undefined): Promise<void> {
  if (source_id == null || (await em.count(LeadSource, source_id)) > 0) return;
  throw wrong('source_id', 'must be a lead source that you may use');
}
