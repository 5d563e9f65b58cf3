import type { User } from '@crm/auth';
import { joinTeam } from '@crm/testing';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { leadsUnderTest } from '../../test/harness.ts';
import { inTurnOnLead } from '../../test/lock-lead.ts';
import { rolloutsOf } from '../../test/rollout.ts';

let now = new Date('2090-03-01T12:00:00Z');
beforeEach(() => {
  now = new Date('2090-03-01T12:00:00Z');
});

const service = await leadsUnderTest({ clock: () => now });
afterAll(service.close);
const rollouts = rolloutsOf(service);
const { person, asNow } = service;

const offersOf = async (user: User, lead_id: number) => (await asNow(user)).offers.send({ lead_id });
const timesOf = (offers: readonly { user_id: number; notify_at: Date | string }[]) =>
  offers.map(({ user_id, notify_at }) => [user_id, new Date(notify_at).toISOString().slice(11, 16)]);

describe('offering a lead', () => {
  it('by rank gives each member a turn one step after the previous one', async () => {
    const [anna, ben, cleo, dora] = [await person(), await person(), await person(), await person()];
    const members = [
      [ben, { rank: 2 }],
      [cleo, { rank: 1 }],
      [dora, { rank: 2 }],
    ] as const;
    const team_id = await rollouts.team(anna, members, { mins_until_next_alert: 5 });
    const lead_id = await rollouts.lead(anna, { team_id });

    const offers = await offersOf(anna, lead_id);
    const expected = [
      [cleo.id, '12:00'],
      [ben.id, '12:05'],
      [dora.id, '12:10'],
    ];
    expect(timesOf(offers)).toEqual(expected);
    expect(offers.map(({ rank }) => rank)).toEqual([1, 2, 2]);
    expect(timesOf(await rollouts.offers(lead_id))).toEqual(expected);
  });

  it('by time lets each member wait for their own number of minutes', async () => {
    const [anna, ben, cleo] = [await person(), await person(), await person()];
    const members = [
      [ben, { mins_until_lead_offer: 5 }],
      [cleo, { mins_until_lead_offer: 0 }],
    ] as const;
    const team_id = await rollouts.team(anna, members, { order_method: 'Time' });
    const lead_id = await rollouts.lead(anna, { team_id });
    expect(timesOf(await offersOf(anna, lead_id))).toEqual([
      [cleo.id, '12:00'],
      [ben.id, '12:05'],
    ]);
  });

  it('again offers nothing to members who have an offer', async () => {
    const [anna, ben] = [await person(), await person()];
    const lead_id = await rollouts.lead(anna, { team_id: await rollouts.team(anna, [[ben]]) });
    expect(await offersOf(anna, lead_id)).toHaveLength(1);
    now = new Date('2090-03-01T12:30:00Z');
    expect(await offersOf(anna, lead_id)).toEqual([]);
    expect(timesOf(await rollouts.offers(lead_id))).toEqual([[ben.id, '12:00']]);
  });

  it('again reaches new members after the earlier ones, whose times do not change', async () => {
    const [anna, ben, cleo, dora] = [await person(), await person(), await person(), await person()];
    const team_id = await rollouts.team(anna, [[ben], [cleo]], { mins_until_next_alert: 5 });
    const lead_id = await rollouts.lead(anna, { team_id });
    await offersOf(anna, lead_id);
    now = new Date('2090-03-01T12:01:00Z');
    await joinTeam(service.identity, team_id, dora);
    await rollouts.admit(anna, team_id, dora, { rank: 3 });

    expect(timesOf(await offersOf(anna, lead_id))).toEqual([[dora.id, '12:10']]);
    expect(timesOf(await rollouts.offers(lead_id))).toEqual([
      [ben.id, '12:00'],
      [cleo.id, '12:05'],
      [dora.id, '12:10'],
    ]);
  });

  it('reaches each member once, however many requests come at once', async () => {
    const [anna, ben, cleo] = [await person(), await person(), await person()];
    const lead_id = await rollouts.lead(anna, { team_id: await rollouts.team(anna, [[ben], [cleo]]) });
    const { offers } = await asNow(anna);

    const answers = await Promise.all(Array.from({ length: 20 }, () => offers.send({ lead_id })));
    expect(answers.filter((made) => made.length > 0)).toHaveLength(1);
    expect(answers.flat().map(({ user_id }) => user_id)).toEqual([ben.id, cleo.id]);
    expect(await rollouts.offers(lead_id)).toHaveLength(2);
  });

  it('reaches each member once, even if two requests start before either has offered anything', async () => {
    const [anna, ben, cleo] = [await person(), await person(), await person()];
    const lead_id = await rollouts.lead(anna, { team_id: await rollouts.team(anna, [[ben], [cleo]]) });
    const { offers } = await asNow(anna);
    const send = async () => (await offers.send({ lead_id })).length;
    expect(await inTurnOnLead(service, lead_id, [send, send])).toEqual([
      { status: 'fulfilled', value: 2 },
      { status: 'fulfilled', value: 0 },
    ]);
    expect(await rollouts.offers(lead_id)).toHaveLength(2);
  });

  it('leaves out members who have declined since', async () => {
    const [anna, ben, cleo] = [await person(), await person(), await person()];
    const team_id = await rollouts.team(anna, [[ben], [cleo]]);
    const lead_id = await rollouts.lead(anna, { team_id });
    const { teamMembers } = service.identity.as(await service.now(ben));
    const mine = (await teamMembers.find({})).data.find(({ user }) => user.id === ben.id);
    await teamMembers.patch({ id: mine?.id ?? 0, request_status: 'Declined' });
    expect((await offersOf(anna, lead_id)).map(({ user_id }) => user_id)).toEqual([cleo.id]);
  });

  it('by zip code reaches the oldest team that has it, including leading zeros', async () => {
    const [anna, ben, cleo] = [await person(), await person(), await person()];
    await rollouts.team(anna, [[cleo]], { distribution_zipcodes: '02135' });
    const first = await rollouts.team(anna, [[ben]], { distribution_zipcodes: '98101, 02134-1234' });
    await rollouts.team(anna, [[cleo]], { distribution_zipcodes: '02134' });
    const lead_id = await rollouts.lead(anna, { zipcode: 2134 });
    expect(await offersOf(anna, lead_id)).toMatchObject([{ team_id: first, user_id: ben.id }]);
  });

  it('marks the lead as offered as soon as there is an offer', async () => {
    const [anna, ben] = [await person(), await person()];
    const lead_id = await rollouts.lead(anna, { team_id: await rollouts.team(anna, [[ben]]) });
    const { leads } = await asNow(anna);
    expect(await leads.get({ id: lead_id })).toMatchObject({ status: 'Pending' });
    await offersOf(anna, lead_id);
    expect(await leads.get({ id: lead_id })).toMatchObject({ status: 'Offered' });
  });

  it('is refused for a lead that goes to its creator', async () => {
    const anna = await person();
    const owner = await asNow(anna);
    const { id: contact_id } = await service.contacts.as(anna).contacts.create({ first_name: 'Carla' });
    const { id } = await owner.leads.create({ contact_id });
    await expect(owner.offers.send({ lead_id: id })).rejects.toMatchObject({ name: 'BadRequest' });
    expect(await rollouts.offers(id)).toEqual([]);
  });

  it('makes no offers if it went to its creator because nobody took it', async () => {
    const anna = await person();
    await rollouts.team(anna, [[await person()]], { distribution_zipcodes: '02134' });
    const lead_id = await rollouts.lead(anna, { zipcode: 98112 });
    const { leads, offers } = await asNow(anna);
    expect(await leads.get({ id: lead_id })).toMatchObject({
      distribution_target: 'Myself',
      status: 'Pending',
    });
    expect(await offers.send({ lead_id })).toEqual([]);
    expect(await leads.get({ id: lead_id })).toMatchObject({
      distribution_target: 'Myself',
      status: 'Pending',
    });
  });

  it('is refused to users who see the lead but did not create it, and hidden from all others', async () => {
    const [anna, ben, dora] = [await person(), await person(), await person()];
    const lead_id = await rollouts.lead(anna, { team_id: await rollouts.team(anna, [[ben]]) });
    await service.rows('update leads set assigned_user_id = $2 where id = $1', [lead_id, ben.id]);

    await expect(offersOf(ben, lead_id)).rejects.toMatchObject({ name: 'Forbidden' });
    const foreign = await offersOf(dora, lead_id).catch((error: Error) => error);
    const missing = await offersOf(dora, 999_999).catch((error: Error) => error);
    expect(foreign).toMatchObject({ name: 'NotFound', message: `No record found for id '${lead_id}'` });
    expect(missing).toMatchObject({ name: 'NotFound', message: "No record found for id '999999'" });
  });

  it('makes no further offers once it is claimed', async () => {
    const [anna, ben, cleo] = [await person(), await person(), await person()];
    const team_id = await rollouts.team(anna, [[ben], [cleo]]);
    const lead_id = await rollouts.lead(anna, { team_id });
    await service.rows(
      `update leads set status = 'Claimed', claimed_by_user_id = $2, claimed_at = now() where id = $1`,
      [lead_id, anna.id],
    );
    expect(await offersOf(anna, lead_id)).toEqual([]);
    expect(await (await asNow(anna)).leads.get({ id: lead_id })).toMatchObject({ status: 'Claimed' });
  });

  it('leaves nothing behind when it fails halfway', async () => {
    const [anna, ben, cleo] = [await person(), await person(), await person()];
    const lead_id = await rollouts.lead(anna, { team_id: await rollouts.team(anna, [[ben], [cleo]]) });
    const before = (await service.published()).length;
    await service.rows(
      "create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$",
    );
    await service.rows(
      'create trigger refuse before insert on outbox for each statement execute function refuse()',
    );
    await expect(offersOf(anna, lead_id)).rejects.toThrow();
    await service.rows('drop function refuse cascade');

    expect(await rollouts.offers(lead_id)).toEqual([]);
    expect(await (await asNow(anna)).leads.get({ id: lead_id })).toMatchObject({ status: 'Pending' });
    expect(await service.published()).toHaveLength(before);
    expect(await offersOf(anna, lead_id)).toHaveLength(2);
  });

  it('repeated with its Idempotency-Key returns the same offers', async () => {
    const [anna, ben] = [await person(), await person()];
    const lead_id = await rollouts.lead(anna, { team_id: await rollouts.team(anna, [[ben]]) });
    const { offers } = await asNow(anna);
    const first = await offers.send({ lead_id }, { idempotencyKey: 'offers' });
    expect(first).toHaveLength(1);
    expect(await offers.send({ lead_id }, { idempotencyKey: 'offers' })).toEqual(first);
  });

  it('plans an alert for each channel, and one for an automatic assignment', async () => {
    const [anna, ben, cleo] = [await person(), await person(), await person()];
    const team_id = await rollouts.team(
      anna,
      [
        [ben, { has_email_alert: true, has_text_alert: true, has_call_alert: true }],
        [cleo, { assign_automatically: true }],
      ],
      { mins_until_next_alert: 5 },
    );
    const lead_id = await rollouts.lead(anna, { team_id });
    await offersOf(anna, lead_id);
    const alerts = await service.rows(
      `select o.user_id, a.kind, a.state, a.attempts, to_char(a.due_at, 'HH24:MI') as due,
         a.next_attempt_at = a.due_at and a.due_at = o.notify_at as is_in_step
       from lead_alerts a join lead_offers o on o.id = a.offer_id where o.lead_id = $1 order by a.id`,
      [lead_id],
    );
    const waiting = { state: 'Waiting', attempts: 0, is_in_step: true };
    expect(alerts).toEqual([
      { ...waiting, user_id: ben.id, kind: 'Email', due: '12:00' },
      { ...waiting, user_id: ben.id, kind: 'Text', due: '12:00' },
      { ...waiting, user_id: ben.id, kind: 'Phone', due: '12:00' },
      { ...waiting, user_id: cleo.id, kind: 'Assign', due: '12:05' },
    ]);
  });

  it('is published by ids, the first time for the lead too', async () => {
    const [anna, ben, cleo] = [await person(), await person(), await person()];
    const team_id = await rollouts.team(anna, [[ben], [cleo]]);
    const lead_id = await rollouts.lead(anna, { team_id });
    const before = (await service.published()).length;
    const [first, second] = await offersOf(anna, lead_id);
    const notify_at = '2090-03-01T12:00:00.000Z';
    const offer = { lead_id, team_id, notify_at };
    expect((await service.published()).slice(before)).toMatchObject([
      { type: 'crm.leads-routing.lead.offered', data: { lead_id, team_id }, aggregateversion: 2 },
      {
        type: 'crm.leads-routing.offer.created',
        data: { ...offer, offer_id: first?.id, user_id: ben.id },
        aggregateversion: 1,
      },
      {
        type: 'crm.leads-routing.offer.created',
        data: { ...offer, offer_id: second?.id, user_id: cleo.id },
        aggregateversion: 1,
      },
    ]);
  });
});
