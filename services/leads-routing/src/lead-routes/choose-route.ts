import type { RouteReason } from './lead-route.api.ts';

/** The fields of a lead that decide its route. */
export interface RoutedFields {
  readonly source_id?: number | null | undefined;
  readonly type?: string | null | undefined;
  /** The source of the lead's contact. */
  readonly contact_source_id?: number | null | undefined;
}

export interface Candidate {
  readonly id: number;
  readonly lead_source_id: number;
  readonly contact_source_id: number;
  readonly filter?: string | null | undefined;
}

/**
 * The route of a lead, among those of its creator. The route must be for the lead's source, and its filter, if any,
 * must equal the lead's type. Routes for the contact's source come first, then routes with a filter, then the oldest.
 */
export function chooseRoute<Route extends Candidate>(
  lead: RoutedFields,
  routes: readonly Route[],
): Route | undefined {
  const [best] = routes.filter((route) => !mismatch(lead, route)).sort(byPreference(lead));
  return best;
}

/** Why each route was chosen or not. */
export function explainRoutes(
  lead: RoutedFields,
  routes: readonly Candidate[],
): { id: number; reason: RouteReason }[] {
  const best = chooseRoute(lead, routes);
  return routes.map((route) => ({
    id: route.id,
    reason: mismatch(lead, route) ?? (best && disadvantage(lead, route, best)) ?? 'Chosen',
  }));
}

function mismatch(
  { source_id, type }: RoutedFields,
  { lead_source_id, filter }: Candidate,
): RouteReason | undefined {
  if (lead_source_id !== source_id) return 'Other lead source';
  return filter && filter.toLowerCase() !== type?.toLowerCase() ? 'Other type' : undefined;
}

/** Why a matching route is not the best one. */
function disadvantage(lead: RoutedFields, route: Candidate, best: Candidate): RouteReason | undefined {
  const [own, highest] = [rankOf(lead, route), rankOf(lead, best)];
  if (own.source !== highest.source) return 'Other contact source';
  if (own.filter !== highest.filter) return 'No filter';
  return route.id === best.id ? undefined : 'Added later';
}

const byPreference = (lead: RoutedFields) => (a: Candidate, b: Candidate) => {
  const [left, right] = [rankOf(lead, a), rankOf(lead, b)];
  return left.source - right.source || left.filter - right.filter || a.id - b.id;
};

const rankOf = ({ contact_source_id }: RoutedFields, route: Candidate) => ({
  source: route.contact_source_id === contact_source_id ? 0 : 1,
  filter: route.filter ? 0 : 1,
});
