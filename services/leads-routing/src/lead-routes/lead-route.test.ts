import type { User } from '@crm/auth';
import { afterAll, describe, expect, it } from 'vitest';
import { leadsUnderTest } from '../../test/harness.ts';

const leads = await leadsUnderTest();
afterAll(leads.close);

/** Creates the records that every route refers to, as its owner. */
async function needsOf(user: User, name = `${Math.random()}`) {
  const campaign = await leads.campaigns.as(user).campaigns.create({ name });
  const source = await leads.contacts.as(user).contactSources.create({ name });
  return {
    campaign_id: campaign.id,
    contact_source_id: source.id,
    lead_source_id: await leads.leadSourceOf(user, name),
  };
}

const toTeam = (team_id: number) =>
  ({ distribution_target: 'Team Rollout', team_selection_method: 'Specific Team', team_id }) as const;
const errorsOf = (outcome: Promise<unknown>) =>
  outcome.then(
    () => 'no error',
    ({ name, errors }) => ({ name, errors }),
  );

describe('a lead route', () => {
  it('shows the records it refers to, with the team in the form that shipped clients expect', async () => {
    const anna = await leads.person();
    const needs = await needsOf(anna, 'Zillow');
    const team_id = await leads.teamOf(anna, [], {
      name: 'North',
      order_method: 'Time',
      is_contact_resource_sharing_enabled: true,
      distribution_zipcodes: '98101',
    });
    const api = (await leads.asNow(anna)).leadRoutes;
    const route = await api.create({ ...needs, ...toTeam(team_id), filter: 'Buyer' });
    expect(route).toEqual({
      makes_offers: false,
      problems: [],
      id: expect.any(Number),
      ...needs,
      ...toTeam(team_id),
      filter: 'Buyer',
      team: {
        id: team_id,
        name: 'North',
        is_sharing_contacts: 1,
        order_method: 2,
        mins_until_next_alert: 0,
        distribution_zipcodes: '98101',
      },
      campaign: { id: needs.campaign_id, name: 'Zillow' },
      lead_source: { id: needs.lead_source_id, name: 'Zillow' },
      contact_source: { id: needs.contact_source_id, name: 'Zillow' },
    });
    expect(await api.get({ id: route.id })).toEqual(route);
    expect(await api.find({ campaign_id: needs.campaign_id })).toMatchObject({ total: 1, data: [route] });
    expect(await api.find({ $select: ['filter'] })).toMatchObject({
      data: [{ id: route.id, filter: 'Buyer' }],
    });

    const ranked = await leads.teamOf(anna, [], { mins_until_next_alert: 5 });
    const patched = await (await leads.asNow(anna)).leadRoutes.patch({ id: route.id, team_id: ranked });
    expect(patched.team).toMatchObject({ is_sharing_contacts: 0, order_method: 1, mins_until_next_alert: 5 });
  });

  it('belongs to its creator: for others it does not exist', async () => {
    const [anna, bob] = [await leads.person(), await leads.person()];
    const { id } = await leads
      .as(anna)
      .leadRoutes.create({ ...(await needsOf(anna)), distribution_target: 'Myself' });
    const { find, get, patch, remove } = leads.as(bob).leadRoutes;
    expect((await find({})).total).toBe(0);
    for (const refused of [get, patch, remove])
      await expect(refused({ id })).rejects.toMatchObject({ name: 'NotFound' });
    expect(await leads.as(anna).leadRoutes.get({ id })).toMatchObject({ filter: null });
  });

  it('keeps only the team and method that its target needs, even after a change', async () => {
    const anna = await leads.person();
    const team = await leads.teamOf(anna);
    const { create, patch } = (await leads.asNow(anna)).leadRoutes;
    const needs = await needsOf(anna);
    const none = { team_id: null, team: null, team_selection_method: null };

    const own = await create({ ...needs, ...toTeam(team), distribution_target: 'Myself' });
    expect(own).toMatchObject(none);
    expect(await create({ ...needs, ...toTeam(team), team_selection_method: 'Zipcode' })).toMatchObject({
      team_id: null,
      team: null,
      team_selection_method: 'Zipcode',
    });
    const specific = await create({ ...needs, distribution_target: 'Team Rollout', team_id: team });
    expect(specific).toMatchObject({ team_id: team, team_selection_method: 'Specific Team' });
    expect(
      await create({ ...needs, distribution_target: 'Myself', team_selection_method: 'None' as never }),
    ).toMatchObject(none);

    expect(await patch({ id: specific.id, distribution_target: 'Myself' })).toMatchObject(none);
    expect(await patch({ id: own.id, ...toTeam(team) })).toMatchObject({ team_id: team, team: { id: team } });
    expect(await patch({ id: own.id, team_selection_method: 'Zipcode' })).toMatchObject({ team_id: null });
  });

  it('is refused without a team if it needs one, and stays as it was', async () => {
    const anna = await leads.person();
    const { create, patch, get } = (await leads.asNow(anna)).leadRoutes;
    const needs = await needsOf(anna);
    const teamless = { ...needs, distribution_target: 'Team Rollout' } as const;
    expect(await errorsOf(create(teamless))).toMatchObject({ errors: { team_selection_method: /required/ } });
    expect(await errorsOf(create({ ...teamless, team_selection_method: 'Specific Team' }))).toMatchObject({
      name: 'BadRequest',
      errors: { team_id: 'is required with Specific Team' },
    });
    const route = await create({ ...needs, distribution_target: 'Myself' });
    await expect(patch({ id: route.id, distribution_target: 'Team Rollout' })).rejects.toMatchObject({
      name: 'BadRequest',
    });
    expect(await get({ id: route.id })).toEqual(route);
  });

  it('refers only to records its creator may use, with the same error for records that do not exist', async () => {
    const [anna, bob] = [await leads.person(), await leads.person()];
    const [own, foreign] = [await needsOf(anna), await needsOf(bob)];
    const joined = await leads.teamOf(bob, [anna]);
    const team = toTeam(await leads.teamOf(anna));
    const { create, patch } = (await leads.asNow(anna)).leadRoutes;
    const { id } = await create({ ...own, ...team });
    const wrong = Object.entries({ ...foreign, team_id: joined });
    for (const [field, value] of wrong) {
      const answers = [];
      for (const reference of [value, 999_999]) {
        answers.push(await errorsOf(create({ ...own, ...team, [field]: reference })));
        answers.push(await errorsOf(patch({ id, [field]: reference })));
      }
      expect(new Set(answers.map((one) => JSON.stringify(one))).size).toBe(1);
      expect(answers[0]).toEqual({
        name: 'BadRequest',
        errors: { [field]: expect.stringMatching(/^must be a/) },
      });
    }
    const all = await errorsOf(create({ ...foreign, ...toTeam(joined) }));
    expect(Object.keys((all as { errors: object }).errors).sort()).toEqual(
      wrong.map(([field]) => field).sort(),
    );
    expect(await leads.as(anna).leadRoutes.find({})).toMatchObject({ total: 1, data: [own] });
  });

  it('shows null for removed records, and lists them as problems', async () => {
    const anna = await leads.person();
    const needs = await needsOf(anna);
    const team_id = await leads.teamOf(anna);
    const { id } = await (await leads.asNow(anna)).leadRoutes.create({ ...needs, ...toTeam(team_id) });
    await leads.identity.as(anna).teams.remove({ id: team_id });
    await leads.campaigns.as(anna).campaigns.remove({ id: needs.campaign_id });
    await leads.contacts.as(anna).contactSources.remove({ id: needs.contact_source_id });
    const { get, find } = (await leads.asNow(anna)).leadRoutes;
    const problems = ['Team removed', 'Campaign not available', 'Contact source removed'];
    expect(await get({ id })).toMatchObject({
      ...needs,
      team_id,
      team: null,
      campaign: null,
      contact_source: null,
      problems,
    });
    expect((await find({ $select: ['problems'] })).data).toEqual([{ id, problems }]);
  });

  it('with problems can be written back as it was read, and fixed', async () => {
    const anna = await leads.person();
    const needs = await needsOf(anna);
    const team_id = await leads.teamOf(anna);
    const { create, get, patch } = (await leads.asNow(anna)).leadRoutes;
    const { id } = await create({ ...needs, ...toTeam(team_id) });
    await leads.identity.as(anna).teams.remove({ id: team_id });
    await leads.campaigns.as(anna).campaigns.remove({ id: needs.campaign_id });
    const { team, campaign, lead_source, contact_source, problems, ...fields } = await get({ id });
    const echo = { ...fields, filter: 'Buyer' };
    expect(await patch(echo)).toMatchObject({ filter: 'Buyer', team_id, problems });
    const foreign = await leads.campaigns.as(await leads.person()).campaigns.create({ name: 'Foreign' });
    await expect(patch({ id, campaign_id: foreign.id })).rejects.toMatchObject({
      errors: { campaign_id: expect.any(String) },
    });
    const own = await leads.campaigns.as(anna).campaigns.create({ name: 'New' });
    const fixed = await patch({ id, campaign_id: own.id, distribution_target: 'Myself' });
    expect(fixed.problems).toEqual([]);
  });

  it('does not show the campaign of a broker who no longer shares it', async () => {
    const broker = await leads.person({ is_broker: true });
    const agent = await leads.person();
    await leads.identity.asSystem.subAccounts.consent({ broker: broker.id, user: agent.id });
    await leads.identity.as(broker).subAccounts.create({ user_id: agent.id });
    const shared = await leads.campaigns
      .as(broker)
      .campaigns.create({ name: 'Shared', is_broker_sharing_on: true });
    const { create, get } = (await leads.asNow(agent)).leadRoutes;
    const needs = { ...(await needsOf(agent)), campaign_id: shared.id };
    const route = await create({ ...needs, distribution_target: 'Myself' });
    expect(route.campaign).toEqual({ id: shared.id, name: 'Shared' });
    await leads.campaigns
      .as(broker)
      .campaigns.patch({ id: shared.id, is_broker_sharing_on: false, name: 'Secret' });
    expect(await get({ id: route.id })).toMatchObject({ campaign: null });
  });

  it('has a problem when the broker no longer shares its lead source with its creator', async () => {
    const broker = await leads.person({ is_broker: true });
    const agent = await leads.person();
    await leads.identity.asSystem.subAccounts.consent({ broker: broker.id, user: agent.id });
    const { subAccounts } = leads.identity.as(broker);
    const { id } = await subAccounts.create({ user_id: agent.id, is_lead_sources_enabled: true });
    const lead_source_id = await leads.leadSourceOf(broker, 'Billboard');
    const needs = { ...(await needsOf(agent)), lead_source_id };
    const { leadRoutes } = await leads.asNow(agent);
    const route = await leadRoutes.create({ ...needs, distribution_target: 'Myself' });
    expect(route).toMatchObject({ lead_source: { id: lead_source_id, name: 'Billboard' }, problems: [] });
    await subAccounts.remove({ id });
    const { get, patch } = (await leads.asNow(agent)).leadRoutes;
    const lost = { lead_source_id, lead_source: null, problems: ['Lead source not available'] };
    expect(await get({ id: route.id })).toMatchObject(lost);
    expect(await patch({ id: route.id, lead_source_id, filter: 'Buyer' })).toMatchObject(lost);
  });

  it('stores no team, whatever is sent, if its target does not use one', async () => {
    const anna = await leads.person();
    const { create, patch } = leads.as(anna).leadRoutes;
    const foreign = await leads.teamOf(await leads.person());
    const needs = await needsOf(anna);
    const byZip = { distribution_target: 'Team Rollout', team_selection_method: 'Zipcode' } as const;
    for (const team_id of [foreign, 'junk' as never]) {
      const route = await create({ ...needs, distribution_target: 'Myself', team_id });
      expect(route).toMatchObject({ distribution_target: 'Myself', team_id: null, team: null });
      expect(await patch({ id: route.id, ...byZip, team_id })).toMatchObject({ ...byZip, team_id: null });
      expect(await create({ ...needs, ...byZip, team_id })).toMatchObject({ ...byZip, team_id: null });
    }
  });

  it('is published by its ids when it is created, changed and removed', async () => {
    const anna = await leads.person();
    const { create, patch, remove } = leads.as(anna).leadRoutes;
    const { id } = await create({ ...(await needsOf(anna)), distribution_target: 'Myself' });
    await patch({ id, filter: 'Buyer' });
    expect(await remove({ id })).toMatchObject({
      id,
      filter: 'Buyer',
      campaign: { name: expect.any(String) },
    });
    const data = { lead_route_id: id, creator_user_id: anna.id };
    expect((await leads.published()).slice(-3)).toMatchObject([
      { type: 'crm.leads-routing.lead-route.created', data, aggregateversion: 1 },
      { type: 'crm.leads-routing.lead-route.changed', data, aggregateversion: 2 },
      { type: 'crm.leads-routing.lead-route.removed', data, aggregateversion: 3 },
    ]);
  });
});
