import { system } from '@crm/auth';
import { emFor, queryIn } from '@crm/data';
import { afterAll, describe, expect, it } from 'vitest';
import { leadsUnderTest } from '../../test/harness.ts';
import { inTurnOnLead } from '../../test/lock-lead.ts';
import { rolloutsOf } from '../../test/rollout.ts';
import { type Assignment, assignAutomatically } from './assign-automatically.ts';

const service = await leadsUnderTest();
afterAll(service.close);
const rollouts = rolloutsOf(service);
const { person, asNow, database } = service;

/** Carries out a leased assignment, as a worker would. */
const assign = (assignment: Assignment) =>
  emFor(database.orm, system).transactional((em) =>
    assignAutomatically(
      { em, query: queryIn(em), actor: system, requestId: 'worker', now: () => new Date() },
      assignment,
    ),
  );

/** Leases the assignments of a lead, as a worker would, and returns them in order. */
async function leased(lead_id: number) {
  const rows = await service.rows(
    `update lead_alerts a set state = 'Sending', lease_until = now() + interval '1 minute'
     from lead_offers o where o.id = a.offer_id and o.lead_id = $1 and a.kind = 'Assign'
     returning a.id, a.attempts, o.lead_id, o.user_id, o.team_id`,
    [lead_id],
  );
  return rows
    .map(({ user_id, team_id, ...row }) => {
      const user = { id: Number(user_id), team_ids: [Number(team_id)] };
      return { ...row, user } as unknown as Assignment;
    })
    .sort((a, b) => a.id - b.id);
}

const stored = async (id: number) => (await service.rows('select * from leads where id = $1', [id]))[0];
const alertsOf = (lead_id: number) =>
  service.rows(
    `select o.user_id, a.kind, a.state, a.handed_over_at is not null as is_over, a.lease_until
     from lead_alerts a join lead_offers o on o.id = a.offer_id where o.lead_id = $1 order by a.id`,
    [lead_id],
  );

const automatic = { assign_automatically: true, has_email_alert: true, mins_until_lead_offer: 0 };

/** A lead assigned to Ben now unless Cleo claims it first; Dora's offer is due in an hour. */
async function offered() {
  const [anna, ben, cleo, dora] = [await person(), await person(), await person(), await person()];
  const members = [
    [ben, automatic],
    [cleo, { mins_until_lead_offer: 0, has_text_alert: true }],
    [dora, { ...automatic, mins_until_lead_offer: 60 }],
  ] as const;
  const team_id = await rollouts.team(anna, members, { order_method: 'Time' });
  const lead_id = await rollouts.lead(anna, { team_id });
  await (await asNow(anna)).offers.send({ lead_id });
  const [own, later] = await leased(lead_id);
  if (!own || !later) throw new Error('Expected two assignments.');
  return { anna, ben, cleo, dora, team_id, lead_id, own, later };
}

describe('an automatic assignment', () => {
  it('gives the lead to the member and removes the later offers', async () => {
    const { ben, cleo, lead_id, own } = await offered();
    await assign(own);
    expect(await stored(lead_id)).toMatchObject({
      status: 'Claimed',
      claimed_by_user_id: ben.id,
      assigned_user_id: ben.id,
      claimed_via: 'Auto',
      claimed_at: expect.any(String),
    });
    expect((await rollouts.offers(lead_id)).map(({ user_id }) => user_id)).toEqual([ben.id, cleo.id]);
    const { leads } = await asNow(ben);
    expect(await leads.get({ id: lead_id })).toMatchObject({ time_to_claim: expect.stringMatching(/^00:/) });
  });

  it('keeps the alerts to the member, and no others', async () => {
    const { ben, cleo, lead_id, own } = await offered();
    await assign(own);
    expect(await alertsOf(lead_id)).toEqual([
      { user_id: ben.id, kind: 'Assign', state: 'Done', is_over: true, lease_until: null },
      { user_id: ben.id, kind: 'Email', state: 'Waiting', is_over: false, lease_until: null },
      { user_id: cleo.id, kind: 'Text', state: 'Dropped', is_over: false, lease_until: null },
    ]);
  });

  it('of a claimed lead changes nothing and is dropped', async () => {
    const { cleo, lead_id, own } = await offered();
    await (await asNow(cleo)).leads.claim({ id: lead_id });
    const before = await stored(lead_id);
    await assign(own);
    expect(await stored(lead_id)).toEqual(before);
    expect((await alertsOf(lead_id))[0]).toMatchObject({ kind: 'Assign', state: 'Dropped' });
  });

  it('does not settle an alert that another worker has leased since', async () => {
    const { lead_id, own } = await offered();
    await service.rows('update lead_alerts set attempts = attempts + 1 where id = $1', [own.id]);
    await assign(own);
    expect((await alertsOf(lead_id))[0]).toMatchObject({ kind: 'Assign', state: 'Sending' });
  });

  it('repeated after a crash changes nothing', async () => {
    const { lead_id, own } = await offered();
    await assign(own);
    await service.rows(
      "update lead_alerts set state = 'Sending', handed_over_at = null, lease_until = now() where id = $1",
      [own.id],
    );
    const before = [await stored(lead_id), await service.published()];
    await assign(own);
    expect([await stored(lead_id), await service.published()]).toEqual(before);
    expect((await alertsOf(lead_id))[0]).toMatchObject({ kind: 'Assign', state: 'Done' });
  });

  it('is not made for a member who was removed from the distribution', async () => {
    const { anna, ben, team_id, lead_id, own } = await offered();
    const { distributionOptions } = await asNow(anna);
    const [option] = (await distributionOptions.find({ team_id, user_id: ben.id })).data;
    await distributionOptions.remove({ id: option?.id ?? 0 });
    await assign(own);
    expect(await stored(lead_id)).toMatchObject({ status: 'Offered', claimed_by_user_id: null });
    expect((await alertsOf(lead_id))[0]).toMatchObject({ kind: 'Assign', state: 'Dropped' });
  });

  it('is not made before it is due, and keeps waiting', async () => {
    const { lead_id, later } = await offered();
    await assign(later);
    expect(await stored(lead_id)).toMatchObject({ status: 'Offered', claimed_by_user_id: null });
    expect((await alertsOf(lead_id)).at(-2)).toMatchObject({ kind: 'Assign', state: 'Waiting' });
  });

  it.each(['the claim', 'the assignment'])(
    'and a claim at the same time have one winner, %s',
    async (first) => {
      const { ben, cleo, lead_id, own } = await offered();
      const { leads } = await asNow(cleo);
      const claim = async () => {
        await leads.claim({ id: lead_id });
      };
      const both = [claim, () => assign(own)];
      const results = await inTurnOnLead(service, lead_id, first === 'the claim' ? both : both.reverse());

      const isClaimed = first === 'the claim';
      expect(await stored(lead_id)).toMatchObject({
        version: 3,
        claimed_by_user_id: isClaimed ? cleo.id : ben.id,
        claimed_via: isClaimed ? 'Email' : 'Auto',
      });
      const lost = { status: 'rejected', reason: { name: 'Conflict' } };
      expect(results).toMatchObject([{ status: 'fulfilled' }, isClaimed ? { status: 'fulfilled' } : lost]);
      expect((await alertsOf(lead_id))[0]).toMatchObject({
        kind: 'Assign',
        state: isClaimed ? 'Dropped' : 'Done',
      });
    },
  );
});
