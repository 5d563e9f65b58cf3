import type { DistributionTarget, RouteProblem, TeamSelectionMethod } from '../lead-routes/lead-route.api.ts';
import type { FallbackReason } from '../leads/lead.api.ts';
import { chooseTeam, type TeamToChoose } from '../rollout/choose-team.ts';

interface Route {
  readonly id: number;
  readonly distribution_target: DistributionTarget;
  readonly team_selection_method?: TeamSelectionMethod | null | undefined;
  readonly team_id?: number | null | undefined;
  readonly makes_offers: boolean;
}

/** The route of a lead, if any, with facts about it from other services. */
export interface RouteFacts {
  readonly route: Route | undefined;
  readonly problems: readonly RouteProblem[];
  /** The teams of the route's creator. */
  readonly teams: readonly TeamToChoose[];
}

const toCreator = {
  distribution_target: 'Myself',
  team_selection_method: null,
  team_id: null,
  makes_offers: false,
  fallback_reason: null,
} as const;

/** Where a lead goes: to its creator, unless its route leads to the members of a team that exists. */
export function routingOf(
  lead: { readonly zipcode?: number | string | null | undefined },
  { route, problems, teams }: RouteFacts,
): Routing {
  if (!route) return { ...toCreator, lead_route_id: null };
  const lead_route_id = route.id;
  if (problems.length > 0) return { ...toCreator, lead_route_id, fallback_reason: 'Route incomplete' };
  if (route.distribution_target === 'Myself') return { ...toCreator, lead_route_id };
  const { distribution_target, team_selection_method = null, team_id = null, makes_offers } = route;
  if (chooseTeam({ ...lead, team_selection_method }, team_id, teams)) {
    return {
      lead_route_id,
      distribution_target,
      team_selection_method,
      team_id,
      makes_offers,
      fallback_reason: null,
    };
  }
  const isByZip = team_selection_method === 'Zipcode';
  return {
    ...toCreator,
    lead_route_id,
    fallback_reason: isByZip ? 'No team for zip code' : 'Route incomplete',
  };
}

export interface Routing {
  readonly lead_route_id: number | null;
  readonly distribution_target: DistributionTarget;
  readonly team_selection_method: TeamSelectionMethod | null;
  readonly team_id: number | null;
  /** True if the lead is offered to the team as soon as it is submitted. */
  readonly makes_offers: boolean;
  readonly fallback_reason: FallbackReason | null;
}
