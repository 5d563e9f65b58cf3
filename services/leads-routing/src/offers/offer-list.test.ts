import { afterAll, describe, expect, it } from 'vitest';
import { leadsUnderTest } from '../../test/harness.ts';
import { rolloutsOf } from '../../test/rollout.ts';

/** So far in the future that no offer is due yet. */
const service = await leadsUnderTest({ clock: () => new Date('2090-03-01T12:00:00Z') });
afterAll(service.close);
const rollouts = rolloutsOf(service);
const { person, asNow } = service;

const anna = await person({ first_name: 'Anna', last_name: 'Ash' });
const ben = await person({ first_name: 'Ben', last_name: 'Birch' });
const cleo = await person({ first_name: 'Cleo', last_name: 'Cedar' });
const dora = await person();
const team_id = await rollouts.team(anna, [[ben, { has_text_alert: true }], [cleo]], {
  mins_until_next_alert: 5,
});
const lead_id = await rollouts.lead(anna, { team_id });
const made = await (await asNow(anna)).offers.send({ lead_id });
const [first, second] = made.map(({ id }) => id);

describe('the offers of a lead', () => {
  it('show their user, lead and team, and real numbers and flags', async () => {
    expect(made[0]).toEqual({
      id: first,
      lead: {
        id: lead_id,
        distribution_target: 'Team Rollout',
        contact: { id: expect.any(Number), first_name: 'Carla', last_name: null },
      },
      user_id: ben.id,
      user: { id: ben.id, first_name: 'Ben', last_name: 'Birch', email: expect.stringContaining('@') },
      team_id,
      team: { id: team_id, name: 'North' },
      rank: 1,
      notify_at: '2090-03-01T12:00:00.000Z',
      declined_at: null,
      assign_automatically: false,
      has_call_alert: false,
      has_text_alert: true,
      alert_state: 'Waiting',
      alert_reason: null,
      has_email_alert: false,
    });
  });

  it('are all shown to the creator of the team, by time, while members see only their own', async () => {
    const { offers } = await asNow(anna);
    expect(await offers.find({ lead_id })).toEqual({ total: 2, limit: 10, skip: 0, data: made });
    const own = await (await asNow(ben)).offers.find({ lead_id });
    expect(own).toEqual({ total: 1, limit: 10, skip: 0, data: [made[0]] });
  });

  it('are in the order of their times, even if a later one was made first', async () => {
    const { offers } = await asNow(anna);
    const swapTimes = () =>
      service.rows(
        `update lead_offers o set notify_at = other.notify_at from lead_offers other
         where o.lead_id = $1 and other.lead_id = $1 and other.id <> o.id`,
        [lead_id],
      );
    const ids = async () => (await offers.find({ lead_id })).data.map(({ id }) => id);
    expect(await ids()).toEqual([first, second]);
    await swapTimes();
    expect(await ids()).toEqual([second, first]);
    await swapTimes();
  });

  it('can be read one by one by users who see them', async () => {
    const [owner, member] = [await asNow(anna), await asNow(ben)];
    expect(await owner.offers.get({ lead_id, id: second ?? 0 })).toEqual(made[1]);
    expect(await member.offers.get({ lead_id, id: first ?? 0 })).toEqual(made[0]);
    const foreign = member.offers.get({ lead_id, id: second ?? 0 });
    await expect(foreign).rejects.toMatchObject({ message: `No record found for id '${second}'` });
  });

  it('are hidden from strangers, as if the lead did not exist', async () => {
    const { offers } = await asNow(dora);
    for (const hidden of [lead_id, 999_999])
      await expect(offers.find({ lead_id: hidden })).rejects.toMatchObject({ name: 'NotFound' });
    await expect(offers.get({ lead_id, id: first ?? 0 })).rejects.toMatchObject({ name: 'NotFound' });
  });

  it('do not include those of another lead', async () => {
    const other = await rollouts.lead(anna, { team_id });
    const { offers } = await asNow(anna);
    expect(await offers.find({ lead_id: other })).toMatchObject({ total: 0 });
    await expect(offers.get({ lead_id: other, id: first ?? 0 })).rejects.toMatchObject({ name: 'NotFound' });
  });

  it.each([
    ['team_id', { team_id: { $in: [0] } }, []],
    ['team_id', { team_id: { $nin: [0] } }, [1, 2]],
    ['rank', { rank: { $gte: 2 } }, [2]],
    ['rank as text', { rank: '1' as unknown as number }, [1]],
    ['rank', { rank: { $ne: 1 } }, [2]],
    ['notify_at', { notify_at: { $lt: '2090-03-01T12:05:00Z' } }, [1]],
    ['a flag as text', { has_text_alert: 'true' as unknown as boolean }, [1]],
    ['assign_automatically', { assign_automatically: true }, []],
    ['rank, in descending order', { $sort: { rank: -1 as const } }, [2, 1]],
    ['$skip and $limit', { $skip: 1, $limit: 1 }, [2]],
  ])('are found by %s', async (_what, query, ranks) => {
    const { data } = await (await asNow(anna)).offers.find({ lead_id, ...query });
    expect(data.map(({ rank }) => rank)).toEqual(ranks);
  });

  it('can be read in part', async () => {
    const { data } = await (await asNow(anna)).offers.find({ lead_id, $select: ['team', 'rank'], $limit: 1 });
    expect(data).toEqual([{ id: first, team: { id: team_id, name: 'North' }, rank: 1 }]);
  });
});
