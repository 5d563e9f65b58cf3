import type { User } from '@crm/auth';
import { joinTeam } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { leadsUnderTest } from '../../test/harness.ts';
import { inTurnOnLead } from '../../test/lock-lead.ts';
import { rolloutsOf } from '../../test/rollout.ts';

const service = await leadsUnderTest();
afterAll(service.close);
const rollouts = rolloutsOf(service);
const { person, asNow } = service;

const crowd = 10;
const anna = await person();
const members: User[] = [];
for (let count = 0; count < crowd; count++) members.push(await person());
const team_id = await rollouts.team(
  anna,
  members.map((user) => [user] as const),
  { order_method: 'Time' },
);
const owner = await asNow(anna);
const claimants = await Promise.all(members.map(asNow));

/** The results of many simultaneous claims, spread over all members. */
const claimAll = (id: number, count: number) =>
  Promise.allSettled(
    Array.from({ length: count }, (_, index) => claimants[index % crowd]?.leads.claim({ id })),
  );

async function expectOneWinner(lead_id: number, results: readonly PromiseSettledResult<unknown>[]) {
  const [lead] = await service.rows('select * from leads where id = $1', [lead_id]);
  const winner = Number(lead?.claimed_by_user_id);
  expect(lead).toMatchObject({ status: 'Claimed', assigned_user_id: winner, version: 3 });
  for (const [index, result] of results.entries()) {
    if (members[index % crowd]?.id === winner) {
      expect(result).toMatchObject({ status: 'fulfilled', value: { claimed_by_user_id: winner } });
    } else {
      const reason = { name: 'Conflict', errors: { claimed_by_user_id: String(winner) } };
      expect(result).toMatchObject({ status: 'rejected', reason });
    }
  }
  const published = (await service.published()).filter(
    ({ type, data }) => type === 'crm.leads-routing.lead.claimed' && data.lead_id === lead_id,
  );
  expect(published).toMatchObject([{ data: { claimed_by_user_id: winner } }]);
  return winner;
}

describe('when many users claim a lead at once', () => {
  it('one gets it, and the others are told who got it, 20 at a time', async () => {
    const lead_id = await rollouts.lead(anna, { team_id });
    await owner.offers.send({ lead_id });
    await expectOneWinner(lead_id, await claimAll(lead_id, 20));
  });

  it('only one gets it, even if eight have all seen it unclaimed and wait for one another', async () => {
    const lead_id = await rollouts.lead(anna, { team_id });
    await owner.offers.send({ lead_id });
    const claims = claimants.slice(0, 8).map(
      ({ leads }) =>
        () =>
          leads.claim({ id: lead_id }),
    );
    await expectOneWinner(lead_id, await inTurnOnLead<unknown>(service, lead_id, claims));
  });
});

describe('a claim at the same time as a second round of offers', () => {
  it.each(['the claim', 'the offers'])('leaves no pending offer, with %s first', async (first) => {
    const [ben, cleo] = [await person(), await person()];
    const slow = await rollouts.team(anna, [[ben]], { mins_until_next_alert: 60 });
    const lead_id = await rollouts.lead(anna, { team_id: slow });
    await (await asNow(anna)).offers.send({ lead_id });
    await joinTeam(service.identity, slow, cleo);
    await rollouts.admit(anna, slow, cleo, { rank: 9 });

    const [{ offers }, { leads }] = [await asNow(anna), await asNow(ben)];
    const claim = async () => Number((await leads.claim({ id: lead_id })).claimed_by_user_id);
    const offer = async () => (await offers.send({ lead_id })).length;
    const both = first === 'the claim' ? [claim, offer] : [offer, claim];
    const results = await inTurnOnLead(service, lead_id, both);

    const values = results.map((result) => (result.status === 'fulfilled' ? result.value : result.reason));
    expect(values).toEqual(first === 'the claim' ? [ben.id, 0] : [1, ben.id]);
    expect((await rollouts.offers(lead_id)).map(({ user_id }) => user_id)).toEqual([ben.id]);
    const [lead] = await service.rows('select status from leads where id = $1', [lead_id]);
    expect(lead).toEqual({ status: 'Claimed' });
  });
});
