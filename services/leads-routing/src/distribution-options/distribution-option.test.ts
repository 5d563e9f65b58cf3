import type { User } from '@crm/auth';
import { teamChanged, teamMemberRemoved } from '@crm/events';
import { afterAll, describe, expect, it } from 'vitest';
import { leadsUnderTest } from '../../test/harness.ts';

const leads = await leadsUnderTest();
afterAll(leads.close);

const of = async (user: User) => (await leads.asNow(user)).distributionOptions;
const flags = { has_call_alert: false, has_text_alert: false, has_email_alert: false };

describe('a distribution option', () => {
  it('shows its team and its member, to everyone in the team', async () => {
    const [anna, ben] = [await leads.person(), await leads.person({ first_name: 'Ben' })];
    const team_id = await leads.teamOf(anna, [ben], { name: 'North' });
    const option = await (await of(anna)).create({
      team_id,
      user_id: ben.id,
      rank: '3',
      assign_automatically: 'true',
    });
    expect(option).toEqual({
      id: expect.any(Number),
      team_id,
      team: { id: team_id, name: 'North' },
      user_id: ben.id,
      user: { id: ben.id, first_name: 'Ben', last_name: null, email: expect.any(String) },
      rank: 3,
      mins_until_lead_offer: 0,
      assign_automatically: true,
      ...flags,
    });
    expect(await (await of(ben)).get({ id: option.id })).toEqual(option);
    expect(await (await of(ben)).find({ user_id: ben.id })).toMatchObject({ total: 1, data: [option] });
    await expect((await of(await leads.person())).get({ id: option.id })).rejects.toMatchObject({
      name: 'NotFound',
    });
  });

  it('is created, changed and removed only by the creator of the team', async () => {
    const [anna, ben, stranger] = [await leads.person(), await leads.person(), await leads.person()];
    const team_id = await leads.teamOf(anna, [ben]);
    const draft = { team_id, user_id: ben.id, assign_automatically: false };
    await expect((await of(ben)).create(draft)).rejects.toMatchObject({ name: 'Forbidden' });
    for (const id of [team_id, 999_999])
      await expect((await of(stranger)).create({ ...draft, team_id: id })).rejects.toMatchObject({
        name: 'BadRequest',
        errors: { team_id: 'must be a team that you have created' },
      });
    const { id } = await (await of(anna)).create(draft);
    for (const [user, name] of [
      [ben, 'Forbidden'],
      [stranger, 'NotFound'],
    ] as const) {
      const { patch, remove } = await of(user);
      await expect(patch({ id, rank: 9 })).rejects.toMatchObject({ name });
      await expect(remove({ id })).rejects.toMatchObject({ name });
    }
    expect(await (await of(anna)).patch({ id, rank: 9 })).toMatchObject({ rank: 9 });
    expect(await (await of(anna)).remove({ id })).toMatchObject({ id, rank: 9, team: { id: team_id } });
  });

  it('is for accepted members, including the creator of the team', async () => {
    const [anna, ben, cleo] = [await leads.person(), await leads.person(), await leads.person()];
    const team_id = await leads.teamOf(anna);
    await leads.identity.asSystem.teamMembers.invite({ team_id, user_id: ben.id });
    const { create, patch } = await of(anna);
    for (const { id } of [ben, cleo, { id: 999_999 }])
      await expect(create({ team_id, user_id: id, assign_automatically: false })).rejects.toMatchObject({
        name: 'BadRequest',
        errors: { user_id: 'must be an accepted member of the team' },
      });
    const { id } = await create({ team_id, user_id: anna.id, assign_automatically: false });
    await expect(patch({ id, user_id: ben.id })).rejects.toMatchObject({
      errors: { user_id: expect.any(String) },
    });
  });

  it('of a disabled member can be changed, but no option can be moved to such a member', async () => {
    const [anna, ben] = [await leads.person(), await leads.person()];
    const team_id = await leads.teamOf(anna, [ben], { order_method: 'Time' });
    const { create, patch } = await of(anna);
    const draft = { team_id, assign_automatically: false, mins_until_lead_offer: 5 };
    const option = await create({ ...draft, user_id: ben.id });
    const own = await create({ ...draft, user_id: anna.id });
    await leads.identity.asSystem.users.disable({ user: ben.id });
    expect(await patch({ ...option, has_email_alert: true })).toMatchObject({
      has_email_alert: true,
      mins_until_lead_offer: 5,
    });
    await expect(patch({ id: own.id, user_id: ben.id })).rejects.toMatchObject({
      errors: { user_id: 'must be an accepted member of the team' },
    });
  });

  it('can move to another team of the same creator, if its member belongs there too', async () => {
    const [anna, ben] = [await leads.person(), await leads.person()];
    const north = await leads.teamOf(anna, [ben], { name: 'North', order_method: 'Time' });
    const south = await leads.teamOf(anna, [], { name: 'South' });
    const foreign = await leads.teamOf(ben, [anna]);
    const { create, patch } = await of(anna);
    const draft = { team_id: north, assign_automatically: false, mins_until_lead_offer: 5 };
    const own = await create({ ...draft, user_id: anna.id });
    const bens = await create({ ...draft, user_id: ben.id });
    expect(await patch({ id: own.id, team_id: south })).toMatchObject({
      team: { id: south, name: 'South' },
      mins_until_lead_offer: 0,
    });
    await expect(patch({ id: bens.id, team_id: south })).rejects.toMatchObject({ name: 'BadRequest' });
    await expect(patch({ id: bens.id, team_id: foreign })).rejects.toMatchObject({ name: 'Forbidden' });
  });

  it('is the only one of a member in a team, however many are added at once', async () => {
    const [anna, ben] = [await leads.person(), await leads.person()];
    const team_id = await leads.teamOf(anna, [ben]);
    const { create, patch, find } = await of(anna);
    const draft = { team_id, user_id: ben.id, assign_automatically: false };
    const asked = await Promise.allSettled(Array.from({ length: 6 }, () => create(draft)));
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of asked.filter((one) => one.status === 'rejected'))
      expect(outcome.reason).toMatchObject({ name: 'Conflict', errors: { user_id: expect.any(String) } });
    const own = await create({ ...draft, user_id: anna.id });
    await expect(patch({ id: own.id, user_id: ben.id })).rejects.toMatchObject({ name: 'Conflict' });
    expect((await find({ team_id })).data.map(({ user_id }) => user_id)).toEqual([ben.id, anna.id]);
  });

  it('has no minutes if the team orders by rank, whatever is sent', async () => {
    const anna = await leads.person();
    const [ranked, timed] = [
      await leads.teamOf(anna),
      await leads.teamOf(anna, [], { order_method: 'Time' }),
    ];
    const { create, patch } = await of(anna);
    const draft = { user_id: anna.id, assign_automatically: false, mins_until_lead_offer: 5 };
    const byRank = await create({ ...draft, team_id: ranked });
    expect(byRank.mins_until_lead_offer).toBe(0);
    expect(await patch({ id: byRank.id, mins_until_lead_offer: 7 })).toMatchObject({
      mins_until_lead_offer: 0,
    });
    const byTime = await create({ ...draft, team_id: timed });
    expect(byTime.mins_until_lead_offer).toBe(5);
    expect(await patch({ id: byTime.id, rank: 4 })).toMatchObject({ mins_until_lead_offer: 5, rank: 4 });
  });

  it('shows no minutes as soon as its team orders by rank', async () => {
    const anna = await leads.person();
    const team_id = await leads.teamOf(anna, [], { order_method: 'Time' });
    const { create, get, find } = await of(anna);
    const { id } = await create({
      team_id,
      user_id: anna.id,
      assign_automatically: false,
      mins_until_lead_offer: 5,
    });
    await leads.identity.as(anna).teams.patch({ id: team_id, order_method: 'Rank' });
    expect(await get({ id })).toMatchObject({ mins_until_lead_offer: 0 });
    expect((await find({ $select: ['mins_until_lead_offer'] })).data).toEqual([
      { id, mins_until_lead_offer: 0 },
    ]);
  });

  it('loses its minutes when its team changes to order by rank, but not minutes that were set later', async () => {
    const anna = await leads.person();
    const team_id = await leads.teamOf(anna, [], { order_method: 'Time' });
    const { create, get } = await of(anna);
    const draft = { team_id, user_id: anna.id, assign_automatically: false, mins_until_lead_offer: 5 };
    const { id } = await create(draft);
    const ranked = {
      team_id,
      creator_user_id: anna.id,
      order_method: 'Rank',
      is_contact_resource_sharing_enabled: false,
    };
    await leads.deliver(teamChanged, ranked, new Date(Date.now() - 60_000));
    expect(await get({ id })).toMatchObject({ mins_until_lead_offer: 5 });
    await leads.deliver(teamChanged, ranked, new Date(Date.now() + 60_000));
    expect(await get({ id })).toMatchObject({ mins_until_lead_offer: 0 });
  });

  // Its event has not arrived yet.
  it.each(['a member', 'the creator'])('disappears at once for %s who leaves the team', async (who) => {
    const anna = await leads.person();
    const ben = who === 'a member' ? await leads.person() : anna;
    const team_id = await leads.teamOf(anna, ben === anna ? [] : [ben]);
    const { id } = await (await of(anna)).create({ team_id, user_id: ben.id, assign_automatically: true });
    const bens = await leads.asNow(ben);
    expect(await bens.distributionOptions.find({})).toMatchObject({ total: 1 });
    const { teamMembers } = leads.identity.as(await leads.now(ben));
    const { data } = await teamMembers.find({ 'user.id': ben.id } as object);
    await teamMembers.patch({ id: data[0]?.id ?? 0, request_status: 'Declined' });

    const { find, get, patch, remove } = await of(ben);
    expect(await find({})).toMatchObject({ total: 0, data: [] });
    await expect(get({ id })).rejects.toMatchObject({ name: 'NotFound' });
    await expect(patch({ id, rank: 2 })).rejects.toMatchObject({ name: 'NotFound' });
    await expect(remove({ id })).rejects.toMatchObject({ name: 'NotFound' });
  });

  it('is kept if it was added after its member left and came back, even if the events arrive later', async () => {
    const anna = await leads.person();
    const team_id = await leads.teamOf(anna, []);
    const { create, find } = await of(anna);
    await create({ team_id, user_id: anna.id, assign_automatically: false });
    const left = { team_member_id: 1, team_id, user_id: anna.id, request_status: 'Accepted' } as const;
    await leads.deliver(teamMemberRemoved, left, new Date(Date.now() - 60_000));
    expect(await find({})).toMatchObject({ total: 1 });
    await leads.deliver(teamMemberRemoved, left, new Date(Date.now() + 60_000));
    expect(await find({})).toMatchObject({ total: 0 });
  });

  it('disappears for everyone as soon as its team is removed', async () => {
    const [anna, ben] = [await leads.person(), await leads.person()];
    const team_id = await leads.teamOf(anna, [ben]);
    const { id } = await (await of(anna)).create({ team_id, user_id: ben.id, assign_automatically: false });
    await leads.identity.as(anna).teams.remove({ id: team_id });
    for (const user of [anna, ben]) {
      await expect((await of(user)).get({ id })).rejects.toMatchObject({ name: 'NotFound' });
      expect((await (await of(user)).find({})).total).toBe(0);
    }
  });

  it('is published by its ids when it is created, changed and removed', async () => {
    const anna = await leads.person();
    const team_id = await leads.teamOf(anna);
    const { create, patch, remove } = await of(anna);
    const { id } = await create({ team_id, user_id: anna.id, assign_automatically: false });
    await patch({ id, rank: 2 });
    await remove({ id });
    const data = { distribution_option_id: id, team_id, user_id: anna.id };
    expect((await leads.published()).slice(-3)).toMatchObject(
      ['created', 'changed', 'removed'].map((what, index) => ({
        type: `crm.leads-routing.distribution-option.${what}`,
        data,
        aggregateversion: index + 1,
      })),
    );
  });
});
