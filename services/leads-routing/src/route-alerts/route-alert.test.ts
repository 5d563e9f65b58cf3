import { campaignChanged, campaignRemoved, contactSourceRemoved, teamRemoved } from '@crm/events';
import { afterAll, describe, expect, it } from 'vitest';
import { routeAlertsUnderTest } from '../../test/route-alerts.ts';

const { service, told, outcomes, routeOf, brokerage, close } = await routeAlertsUnderTest();
afterAll(close);
const { campaigns, deliver } = service;

const teamOf = ({ team_id }: { team_id: number | null }, { id: creator_user_id }: { id: number }) => ({
  team_id: Number(team_id),
  creator_user_id,
  is_contact_resource_sharing_enabled: false,
  order_method: 'Rank' as const,
});

describe('the creator of lead routes', () => {
  it('is alerted once about each team, campaign and contact source that a route has lost', async () => {
    const anna = await service.person({ first_name: 'Anna' });
    const route = await routeOf(anna);
    const { campaign_id, contact_source_id } = route;
    await campaigns.as(anna).campaigns.remove({ id: campaign_id });
    for (let time = 0; time < 2; time++) {
      await deliver(teamRemoved, teamOf(route, anna), new Date(), 2);
      await deliver(campaignRemoved, { campaign_id, owner_user_id: anna.id }, new Date(), 2);
      await deliver(contactSourceRemoved, { contact_source_id, user_id: anna.id, name: 'x' }, new Date(), 2);
    }
    const mails = await told(anna);
    expect(mails.map(({ subject }) => subject)).toEqual(
      Array(3).fill(`Your lead route ${route.id} is incomplete`),
    );
    const texts = mails.map(({ text }) => text).join();
    for (const what of [
      'Hello Anna',
      'team was removed',
      'campaign was removed',
      'contact source was removed',
    ])
      expect(texts).toContain(what);
    expect(await told(anna)).toHaveLength(3);
  });

  it('is alerted in one e-mail about all routes that have lost the same record', async () => {
    const anna = await service.person();
    const first = await routeOf(anna);
    const { team_id } = first;
    const others = [await routeOf(anna, { team_id }), await routeOf(anna, { team_id })];
    const unharmed = await routeOf(anna);
    await deliver(teamRemoved, teamOf(first, anna), new Date(), 2);
    const mails = await told(anna);
    expect(mails.map(({ subject }) => subject)).toEqual(['3 of your lead routes are incomplete']);
    const text = String(mails[0]?.text);
    for (const { id } of [first, ...others]) expect(text).toContain(`Lead route ${id},`);
    expect(text).not.toContain(`Lead route ${unharmed.id},`);
  });

  it('is alerted about a campaign that is no longer shared, and not about a renamed one', async () => {
    const { agent, campaign_id, changed, rename, share } = await brokerage();
    await routeOf(agent, { campaign_id });
    await rename();
    await deliver(campaignChanged, changed, new Date(), 2);
    expect(await told(agent)).toEqual([]);
    await share(false);
    await deliver(campaignChanged, changed, new Date(), 3);
    expect(await told(agent)).toHaveLength(1);
    expect(await outcomes(agent)).toEqual([{ problem: 'Campaign not available', state: 'Done' }]);
  });

  it('is alerted about records that a broker shared, but not about own ones, after leaving the broker', async () => {
    const { agent, campaign_id, lead_source_id, end } = await brokerage();
    const { id } = await routeOf(agent, { campaign_id, lead_source_id });
    await routeOf(agent);
    await end();
    const subjects = (await told(agent)).map(({ subject }) => subject);
    expect(subjects).toEqual(Array(2).fill(`Your lead route ${id} is incomplete`));
    expect((await outcomes(agent)).map(({ state }) => state).sort()).toEqual([
      'Done',
      'Done',
      'Dropped',
      'Dropped',
    ]);
  });

  it('is not alerted about records that routes no longer refer to', async () => {
    const anna = await service.person();
    const [changed, removed] = [await routeOf(anna), await routeOf(anna)];
    for (const { campaign_id } of [changed, removed]) {
      await campaigns.as(anna).campaigns.remove({ id: campaign_id });
      await deliver(campaignRemoved, { campaign_id, owner_user_id: anna.id }, new Date(), 2);
    }
    const { leadRoutes } = await service.asNow(anna);
    const { id: campaign_id } = await campaigns.as(anna).campaigns.create({ name: `${Math.random()}` });
    await leadRoutes.patch({ id: changed.id, campaign_id });
    await leadRoutes.remove({ id: removed.id });
    expect(await told(anna)).toEqual([]);
    expect(await outcomes(anna)).toMatchObject([{ state: 'Dropped' }, { state: 'Dropped' }]);
  });
});
