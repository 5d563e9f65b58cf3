import type { User } from '@crm/auth';
import { withheldReason } from '@crm/data';
import { teamMemberRemoved, teamRemoved } from '@crm/events';
import { afterAll, describe, expect, it } from 'vitest';
import { dispatchUnderTest } from '../../test/dispatch.ts';
import { inTurnOnLead } from '../../test/lock-lead.ts';
import { leadsRoutingStore } from '../store.ts';
import { returnUnclaimed } from './return-unclaimed.ts';

const under = await dispatchUnderTest();
afterAll(under.close);
const { service, rollouts, offer, workerContext, turn } = under;
const { person, asNow } = service;

const stored = async (id: number) => (await service.rows('select * from leads where id = $1', [id]))[0];
const sweep = () => returnUnclaimed(workerContext);
const claim = async (user: User, id: number) => (await asNow(user)).leads.claim({ id });
const removeTeam = async (anna: User, team_id: number) => {
  await service.identity.as(await service.now(anna)).teams.remove({ id: team_id });
  await service.deliver(
    teamRemoved,
    { team_id, creator_user_id: anna.id, is_contact_resource_sharing_enabled: false, order_method: 'Time' },
    new Date(Date.now() + 1000),
  );
};

/** Expects the creator to be the assignee of the lead, and nobody else to be able to claim it or be told about it. */
async function expectReturned(id: number, creator: User, reason: string, former: readonly User[] = []) {
  expect(await stored(id)).toMatchObject({
    distribution_target: 'Myself',
    assigned_user_id: creator.id,
    claimed_by_user_id: null,
    fallback_reason: reason,
    runs_out_at: null,
  });
  const owner = await asNow(creator);
  expect(await owner.leads.routing({ id })).toMatchObject({ fallback_reason: reason, team: null });
  for (const user of former) {
    await expect(claim(user, id)).rejects.toMatchObject({ name: 'Conflict' });
    await expect((await asNow(user)).leads.get({ id })).rejects.toMatchObject({ name: 'NotFound' });
  }
  const [waiting] = await service.rows(
    `select count(*)::int as count from lead_alerts a join lead_offers o on o.id = a.offer_id
     where o.lead_id = $1 and a.state = 'Waiting'`,
    [id],
  );
  expect(waiting).toEqual({ count: 0 });
  await turn();
  const told = (await under.mail.mails()).filter(
    ({ text }) => text?.includes(`Lead: ${id}\n`) && text.includes('that you submitted'),
  );
  const { email } = await service.identity.as(creator).users.get({ id: creator.id });
  expect(told).toMatchObject([{ to: [email], text: expect.stringContaining(sentences[reason] ?? '?') }]);
}

const sentences: Readonly<Record<string, string>> = {
  'Route incomplete': 'no longer exists',
  'No team for zip code': 'None of your teams',
  'Nobody to offer it to': 'anybody in its team',
  'Nobody claimed it': 'No member of its team',
};

describe('a lead goes to its creator', () => {
  it('if the team of its route was removed before it was submitted', async () => {
    const [anna, ben] = [await person(), await person()];
    const team_id = await rollouts.team(anna, [[ben]]);
    const first = await rollouts.lead(anna, { team_id });
    const { contact_id, source_id } = (await stored(first)) ?? {};
    await removeTeam(anna, team_id);
    const owner = await asNow(anna);
    const lead = await owner.leads.create({ contact_id: Number(contact_id), source_id: Number(source_id) });
    await expectReturned(lead.id, anna, 'Route incomplete', []);
    expect(await owner.offers.send({ lead_id: lead.id })).toEqual([]);
  });

  it('if the team was removed before the offers were requested', async () => {
    const [anna, ben] = [await person(), await person()];
    const team_id = await rollouts.team(anna, [[ben]]);
    const lead_id = await rollouts.lead(anna, { team_id });
    await removeTeam(anna, team_id);
    expect(await (await asNow(anna)).offers.send({ lead_id })).toEqual([]);
    await expectReturned(lead_id, anna, 'Nobody to offer it to');
  });

  it('if no member of the team has an option', async () => {
    const anna = await person();
    const lead_id = await rollouts.lead(anna, { team_id: await rollouts.team(anna, []) });
    expect(await (await asNow(anna)).offers.send({ lead_id })).toEqual([]);
    await expectReturned(lead_id, anna, 'Nobody to offer it to');
  });

  it('if no team has its zip code', async () => {
    const [anna, ben, other] = [await person(), await person(), await person()];
    await rollouts.team(anna, [[ben]], { distribution_zipcodes: '98101' });
    await rollouts.team(other, [[ben]], { distribution_zipcodes: '98112' });
    const lead_id = await rollouts.lead(anna, { zipcode: 98112 });
    await expectReturned(lead_id, anna, 'No team for zip code');
  });

  it('if the team is removed after it was offered', async () => {
    const [ben, cleo] = [await person(), await person()];
    const { anna, team_id, lead_id } = await offer([
      [ben, { has_email_alert: true }],
      [cleo, { mins_until_lead_offer: 60, has_text_alert: true }],
    ]);
    await removeTeam(anna, team_id);
    await sweep();
    await expectReturned(lead_id, anna, 'Nobody to offer it to');
    await expect(claim(ben, lead_id)).rejects.toMatchObject({ name: 'NotFound' });
    expect(await rollouts.offers(lead_id)).toMatchObject([{ user_id: ben.id }]);
  });

  it('with the request that submitted it as the cause, however much later', async () => {
    const ben = await person();
    const { anna, team_id, lead_id } = await offer([[ben, { has_email_alert: true }]]);
    await removeTeam(anna, team_id);
    await sweep();
    const published = await service.rows(
      `select payload ->> 'requestid' as request_id from outbox
       where subject in ('crm.leads-routing.lead.created', 'crm.leads-routing.lead.returned')
         and payload ->> 'subject' = $1 order by id`,
      [`lead/${lead_id}`],
    );
    expect(published).toEqual([published[0], published[0]]);
  });

  it('if its last member leaves, and not before', async () => {
    const [ben, cleo] = [await person(), await person()];
    const { anna, team_id, lead_id } = await offer([
      [ben, {}],
      [cleo, {}],
    ]);
    const leave = ({ id }: User) =>
      service.deliver(
        teamMemberRemoved,
        { team_member_id: 1, team_id, user_id: id, request_status: 'Accepted' },
        new Date(Date.now() + 1000),
      );
    await leave(ben);
    await sweep();
    expect(await stored(lead_id)).toMatchObject({ distribution_target: 'Team Rollout', status: 'Offered' });
    await leave(cleo);
    await sweep();
    await expectReturned(lead_id, anna, 'Nobody to offer it to', [ben, cleo]);
  });

  it('if nobody claims it before the last turn is over, by one of many instances', async () => {
    const ben = await person();
    const { anna, lead_id } = await offer([[ben, { has_email_alert: true }]]);
    await sweep();
    expect(await stored(lead_id)).toMatchObject({ status: 'Offered', fallback_reason: null });
    await service.rows("update leads set runs_out_at = now() - interval '1 second' where id = $1", [lead_id]);
    await Promise.all([sweep(), sweep(), sweep()]);
    await expectReturned(lead_id, anna, 'Nobody claimed it', [ben]);
    const returned = (await service.published()).filter(
      ({ type, data }) => type.endsWith('lead.returned') && data.lead_id === lead_id,
    );
    expect(returned).toMatchObject([{ data: { reason: 'Nobody claimed it' } }]);
  });

  it('without another alert to the creator, if it may have been returned before a restoration', async () => {
    const [ben, cleo] = [await person(), await person()];
    const late = await offer([[ben, {}]]);
    const declined = await offer([[ben, {}]]);
    const open = await offer([[cleo, {}]]);
    await service.rows("update leads set runs_out_at = now() - interval '1 second' where id = $1", [
      late.lead_id,
    ]);
    await service.rows('update lead_offers set declined_at = now() where lead_id = $1', [declined.lead_id]);
    for (const statement of leadsRoutingStore.onRestore ?? []) await service.rows(statement);
    await service.rows('update lead_offers set declined_at = now() where lead_id = $1', [open.lead_id]);
    await sweep();
    const alertsOf = (id: number) =>
      service.rows('select state, reason from lead_alerts where lead_id = $1', [id]);
    for (const { lead_id } of [late, declined])
      expect(await alertsOf(lead_id)).toEqual([{ state: 'Failed', reason: withheldReason }]);
    expect(await alertsOf(open.lead_id)).toEqual([{ state: 'Waiting', reason: null }]);
    for (const { lead_id } of [late, declined, open])
      expect(await stored(lead_id)).toMatchObject({ distribution_target: 'Myself' });
    await service.rows('delete from restorations');
  });

  it.each(['the claim', 'the return'])(
    'or to the user who claims it at the same time, with %s first',
    async (first) => {
      const ben = await person();
      const { anna, lead_id } = await offer([[ben, {}]]);
      await service.rows("update leads set runs_out_at = now() - interval '1 second' where id = $1", [
        lead_id,
      ]);
      const { leads } = await asNow(ben);
      const claiming = () => leads.claim({ id: lead_id });
      const isClaimFirst = first === 'the claim';
      await inTurnOnLead<unknown>(service, lead_id, isClaimFirst ? [claiming, sweep] : [sweep, claiming]);
      await sweep();
      const lead = await stored(lead_id);
      if (lead?.claimed_by_user_id)
        expect(lead).toMatchObject({ assigned_user_id: ben.id, fallback_reason: null });
      else await expectReturned(lead_id, anna, 'Nobody claimed it', [ben]);
    },
  );
});

describe('a route that makes offers', () => {
  it('offers a lead when it is submitted, and a client that requests offers gets the same ones', async () => {
    const [anna, ben, cleo] = [await person(), await person(), await person()];
    const team_id = await rollouts.team(anna, [[ben], [cleo]], { mins_until_next_alert: 5 });
    const first = await rollouts.lead(anna, { team_id });
    const { contact_id, source_id, lead_route_id } = (await stored(first)) ?? {};
    const owner = await asNow(anna);
    await owner.leadRoutes.patch({ id: Number(lead_route_id), makes_offers: true });
    const lead = await owner.leads.create({ contact_id: Number(contact_id), source_id: Number(source_id) });
    expect(lead).toMatchObject({ status: 'Offered', distribution_target: 'Team Rollout' });
    const made = await rollouts.offers(lead.id);
    expect(made.map(({ user_id }) => user_id)).toEqual([ben.id, cleo.id]);
    for (let times = 0; times < 2; times++) {
      const asked = await owner.offers.send({ lead_id: lead.id });
      expect(asked.map(({ user_id }) => user_id)).toEqual([ben.id, cleo.id]);
    }
    expect(await rollouts.offers(lead.id)).toEqual(made);
    expect(await stored(first)).toMatchObject({ status: 'Pending' });
  });
});
