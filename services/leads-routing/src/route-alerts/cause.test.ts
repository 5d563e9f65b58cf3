import type { User } from '@crm/auth';
import { afterAll, describe, expect, it } from 'vitest';
import { routeAlertsUnderTest } from '../../test/route-alerts.ts';

const { service, told, outcomes, routeOf, brokerage, receiveAll, close } = await routeAlertsUnderTest();
afterAll(close);
const { identity, campaigns, contacts } = service;

type Route = Awaited<ReturnType<typeof routeOf>>;

/** Ways to remove a record that a route refers to. */
const removals: [string, (by: User, route: Route) => Promise<unknown>][] = [
  ['team', (by, { team_id }) => identity.as(by).teams.remove({ id: Number(team_id) })],
  ['campaign', (by, { campaign_id: id }) => campaigns.as(by).campaigns.remove({ id: Number(id) })],
  [
    'contact source',
    (by, { contact_source_id: id }) => contacts.as(by).contactSources.remove({ id: Number(id) }),
  ],
];

describe('the creator of lead routes', () => {
  it.each(removals)('is not alerted about a %s that the creator removed', async (_, remove) => {
    const anna = await service.person();
    await remove(anna, await routeOf(anna));
    await receiveAll();
    expect(await told(anna)).toEqual([]);
    expect(await outcomes(anna)).toEqual([]);
  });

  // Only the user may remove a team.
  it.each(removals.filter(([what]) => what !== 'team'))(
    'is alerted about a %s that a broker removed on behalf of the creator',
    async (_, remove) => {
      const { agent, acting, broker } = await brokerage();
      await remove(acting, await routeOf(agent));
      await receiveAll();
      expect(await told(agent)).toHaveLength(1);
      expect(await told(broker)).toEqual([]);
    },
  );

  it('is alerted about a campaign that its owner removed, and the owner is not', async () => {
    const { agent, broker, campaign_id } = await brokerage();
    for (const user of [agent, broker]) await routeOf(user, { campaign_id });
    await campaigns.as(broker).campaigns.remove({ id: campaign_id });
    await receiveAll();
    expect(await told(agent)).toHaveLength(1);
    expect(await told(broker)).toEqual([]);
  });

  it('is not alerted about shared records after leaving the broker', async () => {
    const { agent, campaign_id, lead_source_id, remove } = await brokerage();
    await routeOf(agent, { campaign_id, lead_source_id });
    await receiveAll();
    await remove();
    // The event as published when the user leaves on the account page.
    await receiveAll((event) => ({ ...event, actor: `user/${agent.id}` }));
    expect(await told(agent)).toEqual([]);
  });
});

describe('a user who works for a broker and has a route for a lead source of the broker', () => {
  type Brokerage = Awaited<ReturnType<typeof brokerage>>;

  /** The e-mails to the user after a change. */
  async function mailsAfter(happen: (all: Brokerage) => Promise<unknown>) {
    const all = await brokerage();
    await routeOf(all.agent, { lead_source_id: all.lead_source_id });
    await happen(all);
    await receiveAll();
    return told(all.agent);
  }

  it.each<[string, (all: Brokerage) => Promise<unknown>]>([
    ['the sub-account is removed', ({ remove }) => remove()],
    [
      'the sub-account is added again without the switch',
      ({ remove, add }) => remove().then(() => add(false)),
    ],
    ['the broker is disabled', ({ broker }) => identity.asSystem.users.disable({ user: broker.id })],
    [
      'the user who was the broker no longer is one',
      ({ broker }) => identity.asSystem.users.change({ user: broker.id, is_broker: false }),
    ],
  ])('is alerted about the loss when %s', async (_, end) => {
    expect(await mailsAfter(end)).toHaveLength(1);
  });

  it.each<[string, (all: Brokerage) => Promise<unknown>]>([
    ['the sub-account is added again with the switch', ({ remove, add }) => remove().then(() => add(true))],
    [
      'the broker may no longer act, because the password was changed',
      ({ agent }) => identity.asSystem.users.changePassword({ user: agent.id, password: 'another one' }),
    ],
  ])('is not alerted when %s', async (_, change) => {
    expect(await mailsAfter(change)).toEqual([]);
  });
});
