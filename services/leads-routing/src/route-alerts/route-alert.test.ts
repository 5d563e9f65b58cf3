import type { User } from '@crm/auth';
import { noteRestoration } from '@crm/data';
import { openDispatch } from '@crm/dispatch';
import {
  campaignChanged,
  campaignRemoved,
  contactSourceRemoved,
  subAccountRemoved,
  teamRemoved,
} from '@crm/events';
import { afterAll, describe, expect, it } from 'vitest';
import { dispatchUnderTest } from '../../test/dispatch.ts';
import { routeAlertQueue } from './route-alert-dispatcher.ts';

const { service, settings, workerContext, mail, close } = await dispatchUnderTest();
afterAll(close);
const { identity, campaigns, contacts, deliver, rows } = service;

/** The e-mails that a user has been sent about lead routes, after everything was sent that is due. */
async function told(user: User) {
  const dispatch = openDispatch(routeAlertQueue, settings.delivery, workerContext);
  await dispatch.send(await dispatch.lease({ Email: 100 }), () => undefined);
  const [{ email } = { email: '' }] = await identity.asSystem.users.byIds({ ids: [user.id] });
  const mails = await mail.mails();
  return mails.filter(({ to, subject }) => String(to).includes(email) && /route/.test(String(subject)));
}

const outcomes = async (lead_route_id: number) =>
  rows('select problem, state from lead_route_alerts where lead_route_id = $1 order by id', [lead_route_id]);

/** A route of a user, with what it names. */
async function routeOf(user: User, names: object = {}) {
  const name = `${Math.random()}`;
  const campaign_id = (await campaigns.as(user).campaigns.create({ name })).id;
  const contact_source_id = (await contacts.as(user).contactSources.create({ name })).id;
  const team_id = await service.teamOf(user);
  const own = { campaign_id, contact_source_id, lead_source_id: await service.leadSourceOf(user, name) };
  const target = {
    distribution_target: 'Team Rollout',
    team_selection_method: 'Specific Team',
    team_id,
  } as const;
  const { leadRoutes } = await service.asNow(user);
  return leadRoutes.create({ ...own, ...target, ...names });
}

/** A broker and a user who may use what the broker shares. */
async function brokerage() {
  const broker = await service.person({ is_broker: true });
  const agent = await service.person();
  await identity.asSystem.subAccounts.consent({ broker: broker.id, user: agent.id });
  const { subAccounts } = identity.as(broker);
  const { id } = await subAccounts.create({ user_id: agent.id, is_lead_sources_enabled: true });
  const campaign = { name: `${Math.random()}`, is_broker_sharing_on: true };
  return {
    broker,
    agent,
    campaign_id: (await campaigns.as(broker).campaigns.create(campaign)).id,
    lead_source_id: await service.leadSourceOf(broker, 'Billboard'),
    end: async () => {
      await subAccounts.remove({ id });
      const data = { sub_account_id: id, broker_user_id: broker.id, user_id: agent.id };
      await deliver(subAccountRemoved, data, new Date(), 2);
    },
  };
}

describe('the creator of a lead route', () => {
  it('is told once of each team, campaign and contact source that the route has lost', async () => {
    const anna = await service.person({ first_name: 'Anna' });
    const route = await routeOf(anna);
    const { team_id, campaign_id, contact_source_id } = route;
    const team = {
      team_id: Number(team_id),
      creator_user_id: anna.id,
      is_contact_resource_sharing_enabled: false,
    };
    await campaigns.as(anna).campaigns.remove({ id: campaign_id });
    for (let time = 0; time < 2; time++) {
      await deliver(teamRemoved, { ...team, order_method: 'Rank' }, new Date(), 2);
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

  it('is told of a campaign that is no longer shared, and not of one that was renamed', async () => {
    const { broker, agent, campaign_id } = await brokerage();
    const { id } = await routeOf(agent, { campaign_id });
    const event = { campaign_id, owner_user_id: broker.id };
    await campaigns.as(broker).campaigns.patch({ id: campaign_id, name: 'Renamed' });
    await deliver(campaignChanged, event, new Date(), 2);
    expect(await told(agent)).toEqual([]);
    await campaigns.as(broker).campaigns.patch({ id: campaign_id, is_broker_sharing_on: false });
    await deliver(campaignChanged, event, new Date(), 3);
    expect(await told(agent)).toHaveLength(1);
    const problem = 'Campaign not available';
    expect(await outcomes(id)).toEqual([
      { problem, state: 'Dropped' },
      { problem, state: 'Done' },
    ]);
  });

  it('is told of what a broker shared, and not of their own, when they no longer belong to the broker', async () => {
    const { agent, campaign_id, lead_source_id, end } = await brokerage();
    const { id } = await routeOf(agent, { campaign_id, lead_source_id });
    const own = await routeOf(agent);
    await end();
    const subjects = (await told(agent)).map(({ subject }) => subject);
    expect(subjects).toEqual(Array(2).fill(`Your lead route ${id} is incomplete`));
    expect((await outcomes(own.id)).map(({ state }) => state)).toEqual(['Dropped', 'Dropped']);
  });

  it('is not told of what the route no longer names, nor after it was removed', async () => {
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
    expect(await outcomes(changed.id)).toMatchObject([{ state: 'Dropped' }]);
  });

  it('is not told again of what was lost before a restoration', async () => {
    const anna = await service.person();
    const { id, campaign_id } = await routeOf(anna);
    await rows(noteRestoration);
    const before = new Date(Date.now() - 60_000);
    await deliver(campaignRemoved, { campaign_id, owner_user_id: anna.id }, before, 2);
    expect(await told(anna)).toEqual([]);
    expect(await outcomes(id)).toMatchObject([{ state: 'Failed' }]);
    await rows('delete from restorations');
  });
});
