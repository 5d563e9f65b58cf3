import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Candidate, chooseRoute, explainRoutes, type RoutedFields } from './choose-route.ts';
import type { RouteReason } from './lead-route.api.ts';

const few = fc.integer({ min: 1, max: 3 });
const types = fc.constantFrom('Buyer', 'buyer', 'SELLER', 'Seller', '', null);
const candidates: fc.Arbitrary<Candidate[]> = fc
  .array(fc.record({ lead_source_id: few, contact_source_id: few, filter: types }), { maxLength: 8 })
  .map((drawn) => drawn.map((route, index) => ({ ...route, id: index + 1 })));
const leads: fc.Arbitrary<RoutedFields> = fc.record({
  source_id: fc.option(few),
  type: types,
  contact_source_id: fc.option(few),
});

/** The rule, implemented independently: the first route of four kinds, in order of precedence. */
function expected({ source_id, type, contact_source_id }: RoutedFields, routes: readonly Candidate[]) {
  const forSource = routes.filter((route) => route.lead_source_id === source_id);
  const hasFilter = (route: Candidate) => route.filter !== null && route.filter !== '';
  const kinds = [true, false].flatMap((ofContact) =>
    [true, false].map((filtered) =>
      forSource.filter(
        (route) =>
          (route.contact_source_id === contact_source_id) === ofContact &&
          hasFilter(route) === filtered &&
          (!filtered || route.filter?.toUpperCase() === type?.toUpperCase()),
      ),
    ),
  );
  return kinds.find((kind) => kind.length > 0)?.[0];
}

describe('the route of a lead', () => {
  it('is the oldest one for its sources and its type', () => {
    fc.assert(
      fc.property(leads, candidates, (lead, routes) => {
        expect(chooseRoute(lead, routes)).toBe(expected(lead, routes));
      }),
      { numRuns: 2000 },
    );
  });

  it('does not depend on the order of the routes', () => {
    fc.assert(
      fc.property(leads, candidates, (lead, routes) => {
        expect(chooseRoute(lead, routes.toReversed())).toBe(chooseRoute(lead, routes));
      }),
    );
  });

  it('is explained by one chosen route and the disadvantage of every other one', () => {
    fc.assert(
      fc.property(leads, candidates, (lead, routes) => {
        const explained = explainRoutes(lead, routes);
        expect(explained.map(({ id }) => id)).toEqual(routes.map(({ id }) => id));
        const chosen = explained.filter(({ reason }) => reason === 'Chosen').map(({ id }) => id);
        const best = chooseRoute(lead, routes);
        expect(chosen).toEqual(best ? [best.id] : []);
        for (const { id, reason } of explained) expect(reason).toBe(reasonFor(lead, routes, id, best));
      }),
      { numRuns: 1000 },
    );
  });

  it.each<[string, RoutedFields, readonly Candidate[], RouteReason[]]>([
    [
      'a route for the contact source comes before one with a filter',
      { source_id: 1, contact_source_id: 5, type: 'Buyer' },
      [
        { id: 1, lead_source_id: 1, contact_source_id: 6, filter: 'Buyer' },
        { id: 2, lead_source_id: 1, contact_source_id: 5 },
        { id: 3, lead_source_id: 1, contact_source_id: 5 },
        { id: 4, lead_source_id: 2, contact_source_id: 5 },
        { id: 5, lead_source_id: 1, contact_source_id: 5, filter: 'Seller' },
      ],
      ['Other contact source', 'Chosen', 'Added later', 'Other lead source', 'Other type'],
    ],
    [
      'a route with a filter comes before one without',
      { source_id: 1, contact_source_id: null, type: 'BUYER' },
      [
        { id: 1, lead_source_id: 1, contact_source_id: 6 },
        { id: 2, lead_source_id: 1, contact_source_id: 5, filter: 'buyer' },
      ],
      ['No filter', 'Chosen'],
    ],
  ])('is explained: %s', (_, lead, routes, reasons) => {
    expect(explainRoutes(lead, routes).map(({ reason }) => reason)).toEqual(reasons);
  });
});

/** The reason for a route, implemented independently. */
function reasonFor(
  lead: RoutedFields,
  routes: readonly Candidate[],
  id: number,
  best: Candidate | undefined,
): RouteReason {
  const route = routes.find((one) => one.id === id);
  if (!route || route.lead_source_id !== lead.source_id) return 'Other lead source';
  if (route.filter && route.filter.toUpperCase() !== lead.type?.toUpperCase()) return 'Other type';
  if (!best || route.id === best.id) return 'Chosen';
  const forContact = (one: Candidate) => one.contact_source_id === lead.contact_source_id;
  if (forContact(best) && !forContact(route)) return 'Other contact source';
  return best.filter && !route.filter ? 'No filter' : 'Added later';
}
