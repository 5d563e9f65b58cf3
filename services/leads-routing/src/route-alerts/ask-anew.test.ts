import { noteRestoration } from '@crm/data';
import { clearCrashPoints, setCrashPointOnce } from '@crm/dispatch';
import { campaignChanged, campaignRemoved } from '@crm/events';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { routeAlertsUnderTest } from '../../test/route-alerts.ts';

const { service, sendDuring, told, outcomes, routeOf, brokerage, close } = await routeAlertsUnderTest();
afterAll(close);
afterEach(clearCrashPoints);
const { identity, campaigns, deliver, rows } = service;

const aMinuteAgo = () => new Date(Date.now() - 60_000);
const problem = 'Campaign not available';

/** A user with a route that refers to a campaign of their broker. */
async function sharing() {
  const all = await brokerage();
  await routeOf(all.agent, { campaign_id: all.campaign_id });
  const change = (version: number, at = new Date()) => deliver(campaignChanged, all.changed, at, version);
  return { ...all, change };
}

describe('an event that may report a loss', () => {
  it('makes an alert that was dropped, or is about to be, check again', async () => {
    const { agent, rename, share, change } = await sharing();
    await rename();
    await change(2);
    await sendDuring(async () => {
      await share(false);
      await change(3);
    });
    expect(await outcomes(agent)).toEqual([{ problem, state: 'Waiting' }]);
    expect(await told(agent)).toHaveLength(1);
    expect(await outcomes(agent)).toEqual([{ problem, state: 'Done' }]);
  });

  it.each(['leased', 'planned', 'begun', 'sent'])(
    'does not send an alert twice if it arrives while the alert is %s',
    async (point) => {
      const { agent, share, change } = await sharing();
      await share(false);
      await change(2);
      setCrashPointOnce(`lead-route-alert.${point}`, () => change(3));
      for (let time = 0; time < 3; time++) await told(agent);
      expect(await told(agent)).toHaveLength(1);
      expect(await outcomes(agent)).toEqual([{ problem, state: 'Done' }]);
    },
  );

  it('leaves one row, however often nothing is lost', async () => {
    const { agent, rename, change } = await sharing();
    for (let version = 2; version < 6; version++) {
      await rename();
      await change(version);
      expect(await told(agent)).toEqual([]);
    }
    expect(await outcomes(agent)).toEqual([{ problem, state: 'Dropped' }]);
  });

  it('does not prevent an alert about a later loss if the account was disabled meanwhile', async () => {
    const { agent, rename, share, change } = await sharing();
    await rename();
    await change(2);
    await identity.asSystem.users.disable({ user: agent.id });
    expect(await told(agent)).toEqual([]);
    await identity.asSystem.users.enable({ user: agent.id });
    await share(false);
    await change(3);
    expect(await told(agent)).toHaveLength(1);
  });
});

describe('after a restoration', () => {
  afterEach(() => rows('delete from restorations'));

  it('the user is not alerted again about an earlier loss', async () => {
    const anna = await service.person();
    const { campaign_id } = await routeOf(anna);
    await campaigns.as(anna).campaigns.remove({ id: campaign_id });
    await rows(noteRestoration);
    await deliver(campaignRemoved, { campaign_id, owner_user_id: anna.id }, aMinuteAgo(), 2);
    expect(await told(anna)).toEqual([]);
    expect(await outcomes(anna)).toEqual([{ problem, state: 'Failed' }]);
  });

  it('the user is alerted about a later loss of what was still shared', async () => {
    const { agent, share, change } = await sharing();
    await rows(noteRestoration);
    await change(2, aMinuteAgo());
    expect(await told(agent)).toEqual([]);
    await share(false);
    await change(3, new Date(Date.now() + 1_000));
    expect(await told(agent)).toHaveLength(1);
  });

  it('the user is alerted about a new loss while an earlier event is still waiting to be checked', async () => {
    const { agent, share, change } = await sharing();
    await rows(noteRestoration);
    await change(2, aMinuteAgo());
    await share(false);
    await change(3, new Date(Date.now() + 1_000));
    expect(await told(agent)).toHaveLength(1);
  });

  it('the user is alerted about own campaigns that are removed after those of a broker', async () => {
    const { agent, end } = await brokerage();
    const { campaign_id } = await routeOf(agent);
    await rows(noteRestoration);
    await end(aMinuteAgo());
    expect(await told(agent)).toEqual([]);
    await campaigns.as(agent).campaigns.remove({ id: campaign_id });
    const at = new Date(Date.now() + 1_000);
    await deliver(campaignRemoved, { campaign_id, owner_user_id: agent.id }, at, 2);
    expect(await told(agent)).toHaveLength(1);
  });
});
