import fc from 'fast-check';
import { expect, it } from 'vitest';
import { routingOf } from './routing-of.ts';

const teams = fc
  .uniqueArray(fc.nat(4), { maxLength: 3 })
  .map((ids) => ids.map((id) => ({ id: id + 1, distribution_zipcodes: id % 2 ? '98101' : null })));
const routes = fc.oneof(
  fc.record({
    id: fc.nat(),
    distribution_target: fc.constant('Team Rollout' as const),
    team_selection_method: fc.constant('Specific Team' as const),
    team_id: fc.integer({ min: 1, max: 5 }),
    makes_offers: fc.boolean(),
  }),
  fc.record({
    id: fc.nat(),
    distribution_target: fc.constant('Team Rollout' as const),
    team_selection_method: fc.constant('Zipcode' as const),
    team_id: fc.constant(null),
    makes_offers: fc.boolean(),
  }),
  fc.record({
    id: fc.nat(),
    distribution_target: fc.constant('Myself' as const),
    makes_offers: fc.boolean(),
  }),
);
const problems = fc.constantFrom([], ['Team removed' as const], ['Contact source removed' as const]);
const leads = fc.record({ zipcode: fc.constantFrom('98101', 98101, '98112', null) });

it('a lead goes to a team only if its route is complete and the team exists, and to its creator otherwise', () => {
  fc.assert(
    fc.property(leads, fc.option(routes), problems, teams, (lead, route, found, own) => {
      const routing = routingOf(lead, { route: route ?? undefined, problems: found, teams: own });
      const hasTeam =
        route?.distribution_target === 'Team Rollout' &&
        (route.team_selection_method === 'Zipcode'
          ? String(lead.zipcode) === '98101' && own.some(({ distribution_zipcodes }) => distribution_zipcodes)
          : own.some(({ id }) => id === route.team_id));
      const isRolledOut = hasTeam && found.length === 0;
      expect(routing.lead_route_id).toBe(route?.id ?? null);
      expect(routing.distribution_target).toBe(isRolledOut ? 'Team Rollout' : 'Myself');
      expect(routing.makes_offers).toBe(isRolledOut && route.makes_offers);
      const isExpected = !route || (route.distribution_target === 'Myself' && found.length === 0);
      expect(routing.fallback_reason === null).toBe(isRolledOut || isExpected);
    }),
    { numRuns: 1000 },
  );
});

it.each([
  ['Route incomplete', { team_selection_method: 'Specific Team', team_id: 9 }, []],
  ['No team for zip code', { team_selection_method: 'Zipcode' }, []],
  ['Route incomplete', { team_selection_method: 'Zipcode' }, ['Campaign not available']],
] as const)('the reason is "%s" for %j', (reason, target, found) => {
  const route = { id: 1, distribution_target: 'Team Rollout', makes_offers: true, ...target } as const;
  expect(routingOf({}, { route, problems: found, teams: [] }).fallback_reason).toBe(reason);
});
