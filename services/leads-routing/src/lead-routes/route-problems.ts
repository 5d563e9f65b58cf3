import type { RouteProblem } from './lead-route.api.ts';

/** The ids of the records that a route refers to. */
export interface RouteReferences {
  readonly team: number | null;
  readonly campaign: number;
  readonly contact_source: number;
  /** Null if the creator may no longer use it. */
  readonly lead_source: number | null;
}

interface Records {
  readonly teams: ReadonlyMap<number, unknown>;
  readonly campaigns: ReadonlyMap<number, unknown>;
  readonly sources: ReadonlyMap<number, unknown>;
}

/** The problems of a route, given the records that its creator still sees. */
export function problemsOf(route: RouteReferences, { teams, campaigns, sources }: Records): RouteProblem[] {
  const problems: (RouteProblem | false)[] = [
    route.team !== null && !teams.has(route.team) && 'Team removed',
    !campaigns.has(route.campaign) && 'Campaign not available',
    route.lead_source === null && 'Lead source not available',
    !sources.has(route.contact_source) && 'Contact source removed',
  ];
  return problems.filter((problem) => problem !== false);
}
