import type { User } from '@crm/auth';
import { absent, agentOf } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { leadsUnderTest } from '../../test/harness.ts';

const service = await leadsUnderTest();
afterAll(service.close);

/** A broker and a sub-account that uses the broker's lead sources, both with the default ones. */
async function brokerage(is_lead_sources_enabled = true) {
  const broker = await service.person({ is_broker: true });
  const { id } = await service.person();
  const agent = { ...agentOf(broker, { is_lead_sources_enabled }), id };
  const ids = { broker: await idOf(broker), own: await idOf({ ...agent, broker: null }) };
  return { broker, agent, ids };
}

/** The id of the only lead source with a name that a user finds. */
async function idOf(user: User, name = 'Zillow') {
  const { data, total } = await service.as(user).leadSources.find({ name });
  expect(total).toBe(1);
  return Number(data[0]?.id);
}

async function route(user: User, lead_source_id: number) {
  const { id: campaign_id } = await service.campaigns.as(user).campaigns.create({ name: 'Welcome' });
  const { data } = await service.contacts.as(user).contactSources.find({ name: 'Zillow' });
  const contact_source_id = Number(data[0]?.id);
  const target = { campaign_id, contact_source_id, distribution_target: 'Myself' } as const;
  await service.as(user).leadRoutes.create({ ...target, lead_source_id });
}

describe('sub-accounts that use the lead sources of the broker', () => {
  it('see one of each name: their own, and those that only the broker has', async () => {
    const { broker, agent, ids } = await brokerage();
    await service.contacts.as(broker).contactSources.create({ name: 'Sign' });
    const shared = await idOf(broker, 'Sign');
    const { leadSources } = service.as(agent);
    expect(await idOf(agent)).toBe(ids.own);
    expect(await idOf(agent, 'Sign')).toBe(shared);
    const { data, total } = await leadSources.find({ $limit: 100 });
    expect([total, data.length, new Set(data.map(({ name }) => name)).size]).toEqual([7, 7, 7]);
    expect(await leadSources.find({ $limit: 0 })).toMatchObject({ total: 7 });
    expect((await leadSources.find({ $limit: 2, $skip: 6 })).data).toHaveLength(1);
    expect(await leadSources.get({ id: ids.broker })).toMatchObject({ name: 'Zillow' });
  });

  it('see the one that a route of theirs refers to', async () => {
    const { broker, agent, ids } = await brokerage();
    await route(broker, ids.broker);
    expect(await idOf(agent)).toBe(ids.own);
    await route(agent, ids.broker);
    expect(await idOf(agent)).toBe(ids.broker);
  });

  it('see the one that a lead of theirs refers to, unless a route refers to the other one', async () => {
    const { broker, agent, ids } = await brokerage();
    const lead = { contact_id: absent, source_id: ids.broker };
    await service.as(broker).leads.create(lead);
    expect(await idOf(agent)).toBe(ids.own);
    await service.as(agent).leads.create(lead);
    expect(await idOf(agent)).toBe(ids.broker);
    await route(agent, ids.own);
    expect(await idOf(agent)).toBe(ids.own);
  });

  it('see only their own if the broker does not share', async () => {
    const { agent, ids } = await brokerage(false);
    expect(await idOf(agent)).toBe(ids.own);
    expect(await service.as(agent).leadSources.find({})).toMatchObject({ total: 6 });
  });
});
