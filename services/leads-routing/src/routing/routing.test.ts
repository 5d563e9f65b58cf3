import type { User } from '@crm/auth';
import { afterAll, describe, expect, it } from 'vitest';
import { leadsUnderTest } from '../../test/harness.ts';

const noon = new Date('2026-03-01T12:00:00Z');
const leads = await leadsUnderTest({ clock: () => noon });
afterAll(leads.close);

/** A user with a route for one type of lead to a team that orders by rank, five minutes apart. */
async function office() {
  const [anna, ben, cleo] = [
    await leads.person(),
    await leads.person({ first_name: 'Ben' }),
    await leads.person(),
  ];
  const team_id = await leads.teamOf(anna, [ben, cleo], {
    name: 'North',
    mins_until_next_alert: 5,
    distribution_zipcodes: '02134',
  });
  const api = await leads.asNow(anna);
  for (const [rank, { id }] of [cleo, ben].entries())
    await api.distributionOptions.create({ team_id, user_id: id, rank, assign_automatically: false });
  const source_id = await leads.leadSourceOf(anna);
  const { id: contact_source_id } = await leads.contacts.as(anna).contactSources.create({ name: 'Zillow' });
  const { id: campaign_id } = await leads.campaigns.as(anna).campaigns.create({ name: 'Drip' });
  const { id: contact_id } = await leads.contacts.as(anna).contacts.create({ source_id: contact_source_id });
  const needs = { lead_source_id: source_id, contact_source_id, campaign_id };
  const mine = await api.leadRoutes.create({ ...needs, distribution_target: 'Myself' });
  const ours = await api.leadRoutes.create({
    ...needs,
    distribution_target: 'Team Rollout',
    team_selection_method: 'Zipcode',
    filter: 'Buyer',
  });
  return { anna, ben, cleo, api, team_id, source_id, contact_id, mine: mine.id, ours: ours.id };
}

const at = (minutes: number) => new Date(noon.getTime() + minutes * 60_000).toISOString();
const turn = ({ id }: User, minutes: number, is_made: boolean) =>
  expect.objectContaining({ user: expect.objectContaining({ id }), notify_at: at(minutes), is_made });

describe('the routing of a lead', () => {
  it('is explained to the creator before and after the offers are made', async () => {
    const { ben, cleo, api, team_id, mine, ours, ...lead } = await office();
    const { source_id, contact_id } = lead;
    const { id } = await api.leads.create({ contact_id, source_id, type: 'buyer', zipcode: 2134 });
    const explanation = {
      lead_route_id: ours,
      fallback_reason: null,
      distribution_target: 'Team Rollout',
      team_selection_method: 'Zipcode',
      team: { id: team_id, name: 'North' },
      routes: [
        { id: mine, reason: 'No filter' },
        { id: ours, reason: 'Chosen' },
      ],
    };
    expect(await api.leads.routing({ id })).toEqual({
      ...explanation,
      offers: [turn(cleo, 0, false), turn(ben, 5, false)],
    });
    await api.offers.send({ lead_id: id });
    expect(await api.leads.routing({ id })).toEqual({
      ...explanation,
      offers: [turn(cleo, 0, true), turn(ben, 5, true)],
    });
  });

  it('shows the route that was chosen, and the routes as they are now', async () => {
    const { api, source_id, contact_id, mine, ours } = await office();
    const { id } = await api.leads.create({ contact_id, source_id, type: 'Buyer', zipcode: '02134' });
    await api.leadRoutes.remove({ id: ours });
    expect(await api.leads.routing({ id })).toMatchObject({
      lead_route_id: ours,
      distribution_target: 'Team Rollout',
      routes: [{ id: mine, reason: 'Chosen' }],
    });
  });

  it('is shown to nobody else: hidden from strangers, refused to users who see the lead', async () => {
    const { anna, ben, cleo, api, source_id, contact_id } = await office();
    const { id } = await api.leads.create({ contact_id, source_id, type: 'Buyer', zipcode: '02134' });
    await api.offers.send({ lead_id: id });
    await leads.rows("update lead_offers set notify_at = now() - interval '1 second' where user_id = $1", [
      cleo.id,
    ]);
    await leads.rows("update lead_offers set notify_at = now() + interval '1 hour' where user_id = $1", [
      ben.id,
    ]);
    await expect((await leads.asNow(cleo)).leads.routing({ id })).rejects.toMatchObject({
      name: 'Forbidden',
    });
    await expect(leads.as(ben).leads.routing({ id })).rejects.toMatchObject({ name: 'NotFound' });
    await expect(leads.as(anna).leads.routing({ id: 999_999 })).rejects.toMatchObject({ name: 'NotFound' });
  });
});

describe('the simulation of a lead', () => {
  it('shows where it would go, and leaves no row, event or stored response behind', async () => {
    const { anna, ben, cleo, team_id, api, source_id, contact_id, mine, ours } = await office();
    const contents = () =>
      leads.rows(
        `select (select count(*) from leads) as leads, (select count(*) from lead_offers) as offers,
           (select count(*) from lead_alerts) as alerts, (select count(*) from outbox) as events,
           (select count(*) from idempotency_keys) as keys`,
      );
    const before = await contents();
    const draft = { contact_id, source_id, type: 'BUYER', zipcode: '2134' };
    const simulated = await api.leadRoutes.simulate(draft, { idempotencyKey: 'simulated' });
    expect(simulated).toMatchObject({
      lead_route_id: ours,
      team: { id: team_id },
      offers: [turn(cleo, 0, false), turn(ben, 5, false)],
    });
    expect(await api.leadRoutes.simulate({ ...draft, type: null })).toMatchObject({
      lead_route_id: mine,
      distribution_target: 'Myself',
      team: null,
      routes: [
        { id: mine, reason: 'Chosen' },
        { id: ours, reason: 'Other type' },
      ],
      offers: [],
    });
    expect(await api.leadRoutes.simulate({})).toMatchObject({
      lead_route_id: null,
      distribution_target: 'Myself',
    });
    expect(await contents()).toEqual(before);
    const reader = leads.as({ ...(await leads.now(anna)), scopes: ['read'] });
    expect(await reader.leadRoutes.simulate(draft)).toEqual(simulated);
  });

  it('predicts what happens to a real lead', async () => {
    const { api, source_id, contact_id } = await office();
    const sent = [
      [contact_id, 'Buyer'],
      [contact_id, 'Seller'],
      [0, 'Buyer'],
      [2 ** 31, 'Buyer'],
    ] as const;
    for (const [contact_id, type] of sent) {
      const draft = { contact_id, source_id, type, zipcode: 2134 };
      const previewed = await api.leadRoutes.simulate(draft);
      const { id } = await api.leads.create(draft);
      expect(await api.leads.routing({ id })).toEqual(previewed);
    }
  });

  it('refuses a lead source that the caller may not use', async () => {
    const { api } = await office();
    const foreign = await leads.leadSourceOf(await leads.person());
    for (const source_id of [foreign, 999_999])
      await expect(api.leadRoutes.simulate({ source_id })).rejects.toMatchObject({
        errors: { source_id: 'must be a lead source that you may use' },
      });
  });
});
