import { clearCrashPoints, setCrashPoint } from '@crm/dispatch';
import { crash } from '@crm/testing';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { dispatchUnderTest } from '../../test/dispatch.ts';
import { inTurnOnLead } from '../../test/lock-lead.ts';

const under = await dispatchUnderTest();
afterAll(under.close);
const { service, mail, carrier, turn, offer, alerts, reachable, later } = under;

afterEach(clearCrashPoints);

const arrivals = (key: string) =>
  [...mail.received(), ...carrier.received()].find((entry) => entry.key === key)?.arrivals ?? 0;

/** A lead offered to Ben and Cleo at once, by text. */
async function offeredToBoth() {
  const [ben, cleo] = [(await reachable()).user, (await reachable()).user];
  const text = { has_text_alert: true };
  const { lead_id, team_id, anna } = await offer([
    [ben, text],
    [cleo, text],
  ]);
  const claim = async () => (await service.asNow(ben)).leads.claim({ id: lead_id });
  return { anna, ben, cleo, team_id, lead_id, claim };
}

/** A lead assigned to Ben automatically unless Cleo claims it first; both are alerted by e-mail. */
async function automaticForBen() {
  const [ben, cleo] = [(await reachable({ first_name: 'Ben' })).user, (await reachable()).user];
  const { lead_id } = await offer([
    [ben, { assign_automatically: true, has_email_alert: true }],
    [cleo, { has_email_alert: true }],
  ]);
  const claim = async () => (await service.asNow(cleo)).leads.claim({ id: lead_id });
  const winner = async () => {
    const [lead] = await service.rows('select claimed_by_user_id, claimed_via from leads where id = $1', [
      lead_id,
    ]);
    return lead;
  };
  return { ben, cleo, lead_id, claim, winner };
}

describe('a claim that races the alerts of its lead', () => {
  it('leaves nothing to send if it comes first, even if the alerts were already leased', async () => {
    const { lead_id, claim } = await offeredToBoth();
    setCrashPoint('alert.leased', async () => void (await claim()));
    await turn();
    const all = await alerts(lead_id);
    expect(all.map(({ state, reason }) => [state, reason])).toEqual([
      ['Dropped', 'The lead was claimed.'],
      ['Dropped', 'The lead was claimed.'],
    ]);
    expect(all.map(({ key }) => arrivals(key))).toEqual([0, 0]);
  });

  it('makes an alert that is about to be sent wait for it', async () => {
    const { ben, lead_id, claim } = await offeredToBoth();
    // Postpones the other alert, so that only one statement of the dispatch waits for the lead.
    await service.rows(
      `update lead_alerts a set next_attempt_at = now() + interval '1 hour' from lead_offers o
       where o.id = a.offer_id and o.lead_id = $1 and o.user_id = $2`,
      [lead_id, ben.id],
    );
    const [claimed, sent] = await inTurnOnLead<unknown>(service, lead_id, [claim, turn]);
    expect([claimed?.status, sent?.status]).toEqual(['fulfilled', 'fulfilled']);
    const all = await alerts(lead_id);
    expect(all.map(({ state }) => state)).toEqual(['Dropped', 'Dropped']);
    expect(all.map(({ key }) => arrivals(key))).toEqual([0, 0]);
  });

  it('does not wait for an alert that a provider is processing', async () => {
    const { ben, lead_id, claim } = await offeredToBoth();
    setCrashPoint('alert.begun', async () => void (await claim()));
    await turn();
    const [lead] = await service.rows('select claimed_by_user_id from leads where id = $1', [lead_id]);
    expect(lead).toEqual({ claimed_by_user_id: ben.id });
    expect((await alerts(lead_id)).map(({ state }) => state)).toContain('Done');
  });

  it('prevents the alert of a killed worker from being sent', async () => {
    const { lead_id, claim } = await offeredToBoth();
    setCrashPoint('alert.begun', crash);
    await expect(turn()).rejects.toThrow('crash');
    clearCrashPoints();
    await claim();
    await later();
    await turn();
    const all = await alerts(lead_id);
    // The worker may have sent them, so the provider will be asked.
    expect(all.map(({ state }) => state)).toEqual(['Unknown', 'Unknown']);
    expect(all.map(({ key }) => arrivals(key))).toEqual([0, 0]);
  });
});

describe('a void offer', () => {
  it('is no longer announced to its member', async () => {
    const { anna, cleo, team_id, lead_id } = await offeredToBoth();
    const owner = await service.asNow(anna);
    const { data } = await owner.distributionOptions.find({ team_id, user_id: cleo.id });
    await owner.distributionOptions.remove({ id: data[0]?.id ?? 0 });
    await turn();
    const all = await alerts(lead_id);
    expect(all.map(({ user_id, state, reason }) => [user_id === cleo.id, state, reason])).toEqual([
      [false, 'Done', null],
      [true, 'Dropped', 'The offer is void.'],
    ]);
    expect(all.map(({ key }) => arrivals(key))).toEqual([1, 0]);
  });
});

describe('a lead that is assigned automatically', () => {
  it('is announced to the member who got it, and to nobody else', async () => {
    const { ben, lead_id, winner } = await automaticForBen();
    // Cleo's e-mail must not be sent before the assignment; that order is not what this test is about.
    await service.rows(
      "update lead_alerts set next_attempt_at = now() + interval '1 hour' where kind = 'Email'",
    );
    await turn();
    expect(await winner()).toEqual({ claimed_by_user_id: ben.id, claimed_via: 'Auto' });
    await later();
    await turn();
    const all = await alerts(lead_id);
    expect(all.map(({ user_id, kind, state }) => [user_id === ben.id, kind, state])).toEqual([
      [true, 'Assign', 'Done'],
      [true, 'Email', 'Done'],
      [false, 'Email', 'Dropped'],
    ]);
    const sent = (await mail.mails()).find(({ message_id }) => message_id?.includes(all[1]?.key ?? ''));
    expect(sent?.subject).toMatch(/^Assigned to you: Carla/);
    expect(sent?.text).toMatch(/do not have to claim it/);
    expect(sent?.text).not.toMatch(/claim\//);
    expect(arrivals(all[2]?.key ?? '')).toBe(0);
  });

  it('is announced only after the assignment', async () => {
    const { ben, lead_id } = await automaticForBen();
    setCrashPoint('alert.leased', crash);
    await expect(turn()).rejects.toThrow('crash');
    clearCrashPoints();
    await service.rows(
      "update lead_alerts set state = 'Waiting', lease_until = null where kind = 'Email' and state = 'Sending'",
    );
    await turn();
    const own = (await alerts(lead_id)).find(({ user_id, kind }) => user_id === ben.id && kind === 'Email');
    expect(own).toMatchObject({ state: 'Waiting', attempts: 0 });
  });

  it('is recognized as assigned after a crash before the outcome was stored', async () => {
    const { ben, lead_id, winner } = await automaticForBen();
    setCrashPoint('alert.assigned', crash);
    await expect(turn()).rejects.toThrow('crash');
    clearCrashPoints();
    await later();
    await turn();
    expect(await winner()).toEqual({ claimed_by_user_id: ben.id, claimed_via: 'Auto' });
    expect((await alerts(lead_id))[0]).toMatchObject({ kind: 'Assign', state: 'Done', attempts: 1 });
  });

  it.each([
    ['the claim', true],
    ['the assignment', false],
  ])(
    'has one winner when somebody claims it at the same moment and %s comes first',
    async (_name, isClaimFirst) => {
      const { ben, cleo, lead_id, claim, winner } = await automaticForBen();
      await service.rows(
        "update lead_alerts set next_attempt_at = now() + interval '1 hour' where kind = 'Email'",
      );
      const actions = isClaimFirst ? [claim, turn] : [turn, claim];
      const outcomes = await inTurnOnLead<unknown>(service, lead_id, actions);
      const claimed = outcomes[isClaimFirst ? 0 : 1];
      expect(claimed?.status).toBe(isClaimFirst ? 'fulfilled' : 'rejected');
      expect(await winner()).toEqual(
        isClaimFirst
          ? { claimed_by_user_id: cleo.id, claimed_via: 'Email' }
          : { claimed_by_user_id: ben.id, claimed_via: 'Auto' },
      );
      const [own] = await alerts(lead_id);
      expect(own).toMatchObject({ kind: 'Assign', state: isClaimFirst ? 'Dropped' : 'Done' });
    },
  );
});
