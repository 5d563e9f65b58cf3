import type { User } from '@crm/auth';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { leadsUnderTest } from '../../test/harness.ts';
import { rolloutsOf } from '../../test/rollout.ts';

/** How far the service's clock is ahead of the database's. The latter decides if an offer is due. */
let ahead = 0;
beforeEach(() => {
  ahead = 0;
});
const hour = 3_600_000;

const service = await leadsUnderTest({ clock: () => new Date(Date.now() + ahead) });
afterAll(service.close);
const rollouts = rolloutsOf(service);
const { person, asNow } = service;

const claim = async (user: User, id: number) => (await asNow(user)).leads.claim({ id });
const offer = async (user: User, lead_id: number) => (await asNow(user)).offers.send({ lead_id });
const stored = async (id: number) => (await service.rows('select * from leads where id = $1', [id]))[0];
const alertsOf = (lead_id: number) =>
  service.rows(
    `select o.user_id, a.kind, a.state, a.reason from lead_alerts a join lead_offers o on o.id = a.offer_id
     where o.lead_id = $1 order by a.id`,
    [lead_id],
  );

/** A lead of a new creator, offered to Ben and Cleo at once and to Dora in an hour. */
async function offered(facts: Parameters<typeof person>[0] = {}) {
  const [anna, ben, cleo, dora] = [await person(), await person(facts), await person(), await person()];
  const members = [
    [ben, { mins_until_lead_offer: 0, has_email_alert: true }],
    [cleo, { mins_until_lead_offer: 0, has_text_alert: true }],
    [dora, { mins_until_lead_offer: 60, has_email_alert: true }],
  ] as const;
  const team_id = await rollouts.team(anna, members, { order_method: 'Time' });
  const lead_id = await rollouts.lead(anna, { team_id });
  await offer(anna, lead_id);
  return { anna, ben, cleo, dora, team_id, lead_id };
}

describe('claiming a lead', () => {
  it('gives it to the user, and shows when, through which channel and how fast it was claimed', async () => {
    const { ben, lead_id } = await offered();
    await service.rows(
      `update leads set created_at = created_at - interval '26 hours 3 seconds' where id = $1`,
      [lead_id],
    );
    const lead = await claim(ben, lead_id);
    expect(lead).toMatchObject({
      id: lead_id,
      status: 'Claimed',
      claimed_by_user_id: ben.id,
      claimed_via: 'Email',
      assigned_to_user: { id: ben.id },
    });
    expect(lead.time_to_claim).toMatch(/^26:00:\d\d$/);
    expect(Date.parse(lead.claimed_at ?? '')).toBeGreaterThan(Date.now() - 60_000);
  });

  it.each(['Email', 'Text', 'Phone'] as const)('by %s is stored as such', async (claimed_via) => {
    const { ben, lead_id } = await offered();
    const { leads } = await asNow(ben);
    expect(await leads.claim({ id: lead_id, claimed_via })).toMatchObject({ claimed_via });
  });

  it.each(['None', 'Auto', 'Assigned', 'email'])('by %s is not a claim', async (claimed_via) => {
    const { ben, lead_id } = await offered();
    const { leads } = await asNow(ben);
    const wrong = leads.claim({ id: lead_id, claimed_via: claimed_via as 'Email' });
    await expect(wrong).rejects.toMatchObject({
      name: 'BadRequest',
      errors: { claimed_via: expect.anything() },
    });
    expect(await stored(lead_id)).toMatchObject({ status: 'Offered', claimed_by_user_id: null });
  });

  it('after someone else is a conflict that names the winner', async () => {
    const { ben, cleo, lead_id } = await offered({ first_name: 'Ben', last_name: 'Birch' });
    await claim(ben, lead_id);
    await expect(claim(cleo, lead_id)).rejects.toMatchObject({
      name: 'Conflict',
      message: `The lead was claimed by Ben Birch, user ${ben.id}.`,
      errors: { claimed_by_user_id: String(ben.id) },
    });
    expect(await stored(lead_id)).toMatchObject({ claimed_by_user_id: ben.id, assigned_user_id: ben.id });
  });

  it('after someone with a very long name is a conflict that shortens it', async () => {
    const { ben, cleo, lead_id } = await offered({ first_name: 'Ben', last_name: 'h'.repeat(100) });
    await claim(ben, lead_id);
    await expect(claim(cleo, lead_id)).rejects.toMatchObject({
      message: `The lead was claimed by Ben ${'h'.repeat(75)}…, user ${ben.id}.`,
    });
  });

  it('again gets the same response and changes nothing', async () => {
    const { ben, lead_id } = await offered();
    const first = await claim(ben, lead_id);
    const before = [await stored(lead_id), await service.published()];
    ahead = hour;
    expect(await (await asNow(ben)).leads.claim({ id: lead_id, claimed_via: 'Text' })).toEqual(first);
    expect([await stored(lead_id), await service.published()]).toEqual(before);
  });

  it('is refused before the offer is due', async () => {
    const { dora, lead_id } = await offered();
    await expect(claim(dora, lead_id)).rejects.toMatchObject({ name: 'Forbidden' });
    expect(await stored(lead_id)).toMatchObject({ status: 'Offered', claimed_by_user_id: null });
  });

  it('without an offer is refused with the reason for users who see the lead, and hidden from others', async () => {
    const { anna, lead_id } = await offered();
    await expect(claim(anna, lead_id)).rejects.toMatchObject({
      name: 'Forbidden',
      message: 'The lead has not been offered to you.',
    });
    await expect(claim(await person(), lead_id)).rejects.toMatchObject({
      name: 'NotFound',
      message: `No record found for id '${lead_id}'`,
    });
    await expect(claim(anna, 999_999)).rejects.toMatchObject({ name: 'NotFound' });
    expect(await stored(lead_id)).toMatchObject({ status: 'Offered', claimed_by_user_id: null });
  });

  it('without an offer after someone else is a conflict for users who see it, and hidden from others', async () => {
    const { anna, ben, dora, lead_id } = await offered({ first_name: 'Ben', last_name: 'Birch' });
    await claim(ben, lead_id);
    await expect(claim(anna, lead_id)).rejects.toMatchObject({
      name: 'Conflict',
      message: `The lead was claimed by Ben Birch, user ${ben.id}.`,
    });
    for (const user of [dora, await person()]) {
      await expect(claim(user, lead_id)).rejects.toMatchObject({ name: 'NotFound' });
    }
  });

  it('without an offer by the user who already has it gets the same response', async () => {
    const anna = await person();
    const { leads } = await asNow(anna);
    const contact = await service.contacts.as(anna).contacts.create({ first_name: 'Carla' });
    const source_id = await service.leadSourceOf(anna, 'Zillow');
    const { id } = await leads.create({ contact_id: contact.id, source_id, claimed_via: 'Phone' });
    expect(await leads.claim({ id })).toEqual(await leads.get({ id }));
    await expect(claim(await person(), id)).rejects.toMatchObject({ name: 'NotFound' });
  });

  it("after being removed from the team's distribution is a conflict", async () => {
    const { anna, ben, team_id, lead_id } = await offered();
    const { distributionOptions } = await asNow(anna);
    const [option] = (await distributionOptions.find({ team_id, user_id: ben.id })).data;
    await distributionOptions.remove({ id: option?.id ?? 0 });
    await expect(claim(ben, lead_id)).rejects.toMatchObject({
      name: 'Conflict',
      message: expect.stringContaining('void'),
    });
    expect(await stored(lead_id)).toMatchObject({ status: 'Offered', claimed_by_user_id: null });
  });

  it('removes offers that are not due yet, and keeps the others as history', async () => {
    const { anna, ben, cleo, dora, lead_id } = await offered();
    await claim(ben, lead_id);
    expect((await rollouts.offers(lead_id)).map(({ user_id }) => user_id)).toEqual([ben.id, cleo.id]);
    expect(await (await asNow(anna)).offers.find({ lead_id })).toMatchObject({ total: 2 });
    await expect((await asNow(dora)).offers.find({ lead_id })).rejects.toMatchObject({ name: 'NotFound' });
  });

  it('drops all alerts that are not being sent', async () => {
    const { ben, cleo, lead_id } = await offered();
    await service.rows(
      `update lead_alerts set state = 'Sending', lease_until = now() + interval '1 minute' where kind = 'Text'
         and offer_id in (select id from lead_offers where lead_id = $1)`,
      [lead_id],
    );
    await claim(ben, lead_id);
    expect(await alertsOf(lead_id)).toEqual([
      { user_id: ben.id, kind: 'Email', state: 'Dropped', reason: 'The lead was claimed.' },
      { user_id: cleo.id, kind: 'Text', state: 'Sending', reason: null },
    ]);
  });

  it('keeps the lead visible to the user, even without an offer', async () => {
    const { ben, lead_id } = await offered();
    await claim(ben, lead_id);
    await service.rows('delete from lead_offers where lead_id = $1', [lead_id]);
    expect(await (await asNow(ben)).leads.get({ id: lead_id })).toMatchObject({ status: 'Claimed' });
  });

  it('is published once, with the offers it removed', async () => {
    const { anna, ben, dora, lead_id, team_id } = await offered();
    const before = (await service.published()).length;
    await claim(ben, lead_id);
    const published = (await service.published()).slice(before);
    expect(published).toMatchObject([
      {
        type: 'crm.leads-routing.offer.removed',
        data: { lead_id, team_id, user_id: dora.id },
        aggregateversion: 2,
      },
      {
        type: 'crm.leads-routing.lead.claimed',
        data: { lead_id, creator_user_id: anna.id, claimed_by_user_id: ben.id, claimed_via: 'Email' },
        aggregateversion: 3,
      },
    ]);
  });

  it('repeated with its Idempotency-Key gets the same response', async () => {
    const { ben, lead_id } = await offered();
    const { leads } = await asNow(ben);
    const first = await leads.claim({ id: lead_id }, { idempotencyKey: 'claim' });
    expect(await leads.claim({ id: lead_id }, { idempotencyKey: 'claim' })).toEqual(first);
  });
});

describe('a user who has left the team', () => {
  it('is told as little about the lead as somebody who sees no lead, before and after a claim', async () => {
    const { ben, cleo, dora, lead_id, team_id } = await offered();
    const refusalOf = async (user: User, act: 'claim' | 'decline') => {
      const { leads } = await asNow(user);
      return leads[act]({ id: lead_id }).catch((error: unknown) => error);
    };
    await service.leave(team_id, cleo);
    // Her turn is still to come.
    await service.leave(team_id, dora);
    const stranger = await person();
    for (const act of ['claim', 'decline'] as const) {
      const hidden = await refusalOf(stranger, act);
      expect(hidden).toMatchObject({ name: 'NotFound' });
      for (const user of [cleo, dora]) expect(await refusalOf(user, act)).toEqual(hidden);
    }
    await claim(ben, lead_id);
    for (const act of ['claim', 'decline'] as const)
      expect(await refusalOf(cleo, act)).toEqual(await refusalOf(stranger, act));
  });

  it('still gets the same response about a lead that the user has claimed', async () => {
    const { ben, lead_id, team_id } = await offered();
    const first = await claim(ben, lead_id);
    await service.leave(team_id, ben);
    expect(await claim(ben, lead_id)).toMatchObject({ id: first.id, claimed_by_user_id: ben.id });
  });
});
