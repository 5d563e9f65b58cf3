import { absent } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { newRecord, resourceCalled } from './contract/records.ts';
import type { Json } from './system/api.ts';
import { join, made } from './system/made.ts';
import { type Person, shapesFor, startSystem } from './system.ts';

describe.each(shapesFor(import.meta))('%s: leads', async (shape) => {
  const system = await startSystem(shape);
  afterAll(system.stop);

  const namesOf = async ({ api }: Person, path: string) =>
    (await api.list(`${path}?$limit=1000`)).data.map(({ name }) => name);
  const taken = async (broker: Person, user: Person, is_lead_sources_enabled: boolean) => {
    await user.allows(broker);
    return made(broker, '/sub-accounts', { user_id: user.id, is_lead_sources_enabled });
  };

  /** Creates a team with the given members. */
  async function teamOf(creator: Person, members: readonly Person[], draft: Json = {}) {
    const team = await made(creator, '/teams', { name: 'North', ...draft });
    return { team_id: team.id, memberships: await join(system, team.id, ...members) };
  }
  const optionOf = (creator: Person, team_id: number, user: Person, draft: Json = {}) =>
    made(creator, '/team-member-distribution-options', {
      team_id,
      user_id: user.id,
      assign_automatically: false,
      ...draft,
    });
  const optionRows = async (team_id: number) => {
    await system.settled();
    return system.rows(
      'leads-routing',
      'select user_id, mins_until_lead_offer from distribution_options where team_id = $1 order by user_id',
      [team_id],
    );
  };

  it('have the same default sources as contacts', async () => {
    const anna = await system.person();
    const names = ['Zillow', 'Trulia', 'Realtor.com', 'Facebook', 'Website', 'Referral'];
    expect(await namesOf(anna, '/lead-sources')).toEqual(names);
    expect(await namesOf(anna, '/contact-sources')).toEqual(names);
    const { data } = await anna.api.list('/lead-sources?name=Trulia');
    expect(data).toEqual([{ id: expect.any(Number), name: 'Trulia' }]);
    expect((await anna.api.get(`/lead-sources/${data[0]?.id}`)).body).toEqual(data[0]);
  });

  it('get a lead source for each new contact source, with unique names', async () => {
    const [anna, bert] = [await system.person(), await system.person()];
    for (const name of ['Open house', 'Zillow', 'Open house']) await made(anna, '/contact-sources', { name });
    await system.settled();
    expect((await namesOf(anna, '/lead-sources')).slice(6)).toEqual(['Open house']);
    expect(await namesOf(bert, '/lead-sources')).not.toContain('Open house');
  });

  it('have sources that cannot be created, changed or removed', async () => {
    const anna = await system.person();
    const [{ id } = {}] = (await anna.api.list('/lead-sources')).data;
    const before = await system.contents();
    for (const answer of [
      await anna.api.post('/lead-sources', { name: 'Mine' }),
      await anna.api.patch(`/lead-sources/${id}`, { name: 'Mine' }),
      await anna.api.delete(`/lead-sources/${id}`),
    ])
      expect(answer).toMatchObject({ status: 405, body: { name: 'MethodNotAllowed' } });
    expect(await system.contents()).toEqual(before);
  });

  it('may use the sources of the broker if the broker allows it', async () => {
    const broker = await system.person({ is_broker: true });
    const [uses, not] = [await system.person(), await system.person()];
    await taken(broker, uses, true);
    await taken(broker, not, false);
    const source_id = (await broker.api.list('/lead-sources?$limit=1')).data[0]?.id;
    expect((await uses.api.get(`/lead-sources/${source_id}`)).status).toBe(200);
    expect((await not.api.get(`/lead-sources/${source_id}`)).status).toBe(404);
    await made(broker, '/contact-sources', { name: 'Sign' });
    await broker.api.list('/lead-sources?name=Sign');
    expect((await uses.api.list('/lead-sources')).total).toBe(7);
    expect((await not.api.list('/lead-sources')).total).toBe(6);
    const draft = { contact_id: absent, source_id };
    expect((await uses.api.post('/leads', draft)).body).toMatchObject({
      source: { id: source_id },
      contact: null,
    });
    expect(await not.api.post('/leads', draft)).toMatchObject({ status: 400 });
  });

  it('cannot be changed or removed', async () => {
    const anna = await system.person();
    const { path } = await newRecord(anna, resourceCalled('leads'));
    for (const answer of [await anna.api.patch(path, { city: 'Reno' }), await anna.api.delete(path)]) {
      expect(answer).toMatchObject({ status: 405, body: { name: 'MethodNotAllowed' } });
      expect(answer.headers.allow).toContain('GET');
    }
  });

  it('show the current contact, and null once it is removed', async () => {
    const anna = await system.person();
    const contact = await made(anna, '/contacts', { first_name: 'Bill' });
    const { path, body } = await newRecord(anna, resourceCalled('leads'), { contact_id: contact.id });
    expect(body.contact).toMatchObject({ id: contact.id, first_name: 'Bill', last_name: null, email: null });
    for (const first_name of ['Will', 'Phil']) {
      await anna.api.patch(`/contacts/${contact.id}`, { first_name });
      expect((await anna.api.get(path)).body).toMatchObject({ contact: { first_name } });
    }
    await anna.api.delete(`/contacts/${contact.id}`);
    expect((await anna.api.get(path)).body).toMatchObject({ contact_id: contact.id, contact: null });
    expect(await anna.api.list(`/leads?contact_id=${contact.id}`)).toMatchObject({
      total: 1,
      data: [{ contact: null }],
    });
  });

  it('are visible to the owner of the contact as soon as a colleague submits them', async () => {
    const [anna, ben, stranger] = [await system.person(), await system.person(), await system.person()];
    await teamOf(anna, [ben], { is_contact_resource_sharing_enabled: true });
    const contact = await made(anna, '/contacts', { first_name: 'Bill' });
    const lead = await made(ben, '/leads', { contact_id: contact.id });
    expect(lead.contact).toMatchObject({ first_name: 'Bill' });
    expect((await anna.api.get(`/leads/${lead.id}`)).body).toMatchObject({ created_by_user: { id: ben.id } });
    expect((await stranger.api.get(`/leads/${lead.id}`)).status).toBe(404);
  });

  it('take the route that a simulation predicted without storing anything, and explain it', async () => {
    const [anna, ben] = [await system.person(), await system.person()];
    const { team_id } = await teamOf(anna, [ben]);
    await optionOf(anna, team_id, ben);
    const [lead_source, contact_source] = [
      (await anna.api.list('/lead-sources?name=Zillow')).data[0]?.id,
      (await anna.api.list('/contact-sources?name=Zillow')).data[0]?.id,
    ];
    const campaign = await made(anna, '/campaigns', { name: 'Drip' });
    const route = await made(anna, '/lead-routes', {
      team_id: String(team_id),
      campaign_id: String(campaign.id),
      lead_source_id: lead_source,
      contact_source_id: contact_source,
      distribution_target: 'Team Rollout',
      team_selection_method: 'Specific Team',
      filter: 'Buyer',
    });
    const contact = await made(anna, '/contacts', { source_id: contact_source });
    const draft = { contact_id: contact.id, source_id: lead_source, type: 'Buyer' };
    const before = await system.contents();
    const told = await anna.api.post('/lead-routes/simulate', draft);
    expect(told).toMatchObject({
      status: 200,
      body: {
        lead_route_id: route.id,
        distribution_target: 'Team Rollout',
        team: { id: team_id },
        routes: [{ id: route.id, reason: 'Chosen' }],
        offers: [{ user: { id: ben.id }, is_made: false }],
      },
    });
    expect(await system.contents()).toEqual(before);
    const reader = await system.token(anna, 'read');
    expect((await reader.api.post('/lead-routes/simulate', draft)).status).toBe(200);

    const lead = await made(anna, '/leads', draft);
    expect(lead).toMatchObject({ distribution_target: 'Team Rollout', status: 'Pending' });
    const { lead_route_id, routes } = told.body;
    expect((await anna.api.get(`/leads/${lead.id}/routing`)).body).toMatchObject({ lead_route_id, routes });
    expect((await ben.api.get(`/leads/${lead.id}/routing`)).status).toBe(404);
  });

  it('are not offered by a removed team or to a member who left or declined', async () => {
    const [anna, ben, cleo] = [await system.person(), await system.person(), await system.person()];
    const { team_id, memberships } = await teamOf(anna, [ben, cleo]);
    for (const member of [anna, ben, cleo]) await optionOf(anna, team_id, member);
    expect(await optionRows(team_id)).toHaveLength(3);
    await system.operator.teamMembers.remove({ team_id, user_id: ben.id });
    expect((await optionRows(team_id)).map(({ user_id }) => user_id)).toEqual([anna.id, cleo.id]);
    await cleo.api.patch(`/team-members/${memberships[1]}`, { request_status: 'Declined' });
    expect((await optionRows(team_id)).map(({ user_id }) => user_id)).toEqual([anna.id]);
    await anna.api.delete(`/teams/${team_id}`);
    expect((await anna.api.list('/team-member-distribution-options')).total).toBe(0);
    expect(await optionRows(team_id)).toEqual([]);
  });

  it('are offered without minutes once a team orders by rank', async () => {
    const anna = await system.person();
    const { team_id } = await teamOf(anna, [], { order_method: 'Time' });
    const option = await optionOf(anna, team_id, anna, { mins_until_lead_offer: 5 });
    expect(option.mins_until_lead_offer).toBe(5);
    const path = `/team-member-distribution-options/${option.id}`;
    const order = (order_method: string) => anna.api.patch(`/teams/${team_id}`, { order_method });
    await order('Rank');
    expect((await anna.api.get(path)).body).toMatchObject({ mins_until_lead_offer: 0 });
    expect(await optionRows(team_id)).toEqual([{ user_id: anna.id, mins_until_lead_offer: 0 }]);
    await order('Time');
    expect((await anna.api.get(path)).body).toMatchObject({ mins_until_lead_offer: 0 });
  });
});
