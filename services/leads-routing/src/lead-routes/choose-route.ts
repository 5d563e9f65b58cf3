/** What of a lead decides about its route. */
export interface Asked {
  readonly source_id?: number | null | undefined;
  readonly type?: string | null | undefined;
  /** Of the lead's contact. */
  readonly contact_source_id?: number | null | undefined;
}

export interface Candidate {
  readonly id: number;
  readonly lead_source_id: number;
  readonly contact_source_id: number;
  readonly filter?: string | null | undefined;
}

/** Why a route is the lead's, or is not. */
export type Reason =
  | 'Chosen'
  | 'Other lead source'
  | 'Other type'
  | 'Other contact source'
  | 'No filter'
  | 'Added later';

/**
 * The route of a lead, among those of its creator. It must be for the lead's source, and its filter, if any,
 * must be the lead's type. Of several the one for the contact's source comes first, then one with a filter,
 * then the oldest.
 */
export function chooseRoute<Route extends Candidate>(
  asked: Asked,
  routes: readonly Route[],
): Route | undefined {
  const [best] = routes.filter((route) => !misfit(asked, route)).sort(better(asked));
  return best;
}

/** For each route why it was chosen, or not. */
export function explainRoutes(asked: Asked, routes: readonly Candidate[]): { id: number; reason: Reason }[] {
  const best = chooseRoute(asked, routes);
  return routes.map((route) => ({
    id: route.id,
    reason: misfit(asked, route) ?? (best && worse(asked, route, best)) ?? 'Chosen',
  }));
}

function misfit({ source_id, type }: Asked, { lead_source_id, filter }: Candidate): Reason | undefined {
  if (lead_source_id !== source_id) return 'Other lead source';
  return filter && filter.toLowerCase() !== type?.toLowerCase() ? 'Other type' : undefined;
}

/** What is wrong with a route that fits, beside one that fits as well or better. */
function worse(asked: Asked, route: Candidate, best: Candidate): Reason | undefined {
  const [own, others] = [rankOf(asked, route), rankOf(asked, best)];
  if (own.source !== others.source) return 'Other contact source';
  if (own.filter !== others.filter) return 'No filter';
  return route.id === best.id ? undefined : 'Added later';
}

const better = (asked: Asked) => (a: Candidate, b: Candidate) => {
  const [left, right] = [rankOf(asked, a), rankOf(asked, b)];
  return left.source - right.source || left.filter - right.filter || a.id - b.id;
};

const rankOf = ({ contact_source_id }: Asked, route: Candidate) => ({
  source: route.contact_source_id === contact_source_id ? 0 : 1,
  filter: route.filter ? 0 : 1,
});
