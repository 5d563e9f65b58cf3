import { afterAll, describe, expect, it } from 'vitest';
import { identityUnderTest } from '../../test/harness.ts';
import { peopleIn } from '../../test/people.ts';

const identity = await identityUnderTest();
afterAll(identity.close);
const { someone, now, join, add } = peopleIn(identity);
const { users, teamMembers } = identity.asSystem;
const as = identity.as;

const idsSeenBy = async (id: number) =>
  (await as(await now(id)).users.find({ $limit: 1000 })).data.map((user) => user.id);

async function teamOf(creatorId: number, ...memberIds: readonly number[]) {
  const team = await as(await now(creatorId)).teams.create({ name: 'North' });
  for (const id of memberIds) await join(team.id, id);
  return team;
}

describe('the users that a user sees', () => {
  it('are the user, teammates, the broker and sub-accounts, in both directions', async () => {
    const [kim, lee] = [await someone({ is_broker: true }), await someone()];
    const [anna, ben, stranger] = [await someone(), await someone(), await someone()];
    await add(kim, lee);
    await teamOf(anna.id, ben.id, lee.id);

    expect(await idsSeenBy(kim.id)).toEqual([kim.id, lee.id]);
    expect(await idsSeenBy(lee.id)).toEqual([lee.id, kim.id, anna.id, ben.id]);
    expect(await idsSeenBy(ben.id)).toEqual([ben.id, lee.id, anna.id]);
    expect(await idsSeenBy(stranger.id)).toEqual([stranger.id]);
    expect(await as(await now(ben.id)).users.get({ id: anna.id })).toMatchObject({ id: anna.id });
    await expect(as(await now(ben.id)).users.get({ id: kim.id })).rejects.toMatchObject({
      name: 'NotFound',
      message: `No record found for id '${kim.id}'`,
    });
  });

  it('do not include those who are only invited or have declined', async () => {
    const [anna, ben, cleo] = [await someone(), await someone(), await someone()];
    const team = await teamOf(anna.id);
    await teamMembers.invite({ team_id: team.id, user_id: ben.id });
    await join(team.id, cleo.id, 'Declined');
    expect(await idsSeenBy(anna.id)).toEqual([anna.id]);
    expect(await idsSeenBy(ben.id)).toEqual([ben.id]);
    expect(await idsSeenBy(cleo.id)).toEqual([cleo.id]);
  });

  it('do not include disabled ones', async () => {
    const [kim, lee, anna] = [await someone({ is_broker: true }), await someone(), await someone()];
    await add(kim, lee);
    await teamOf(anna.id, kim.id);
    const before = await now(kim.id);
    await users.disable({ user: lee.id });
    expect(await idsSeenBy(kim.id)).toEqual([kim.id, anna.id]);
    // Rights of up to 30 seconds ago, as an internal token can contain them.
    expect(await as(before).users.find({})).toMatchObject({ total: 2 });
    await expect(as(before).users.get({ id: lee.id })).rejects.toMatchObject({ name: 'NotFound' });
    expect((await now(kim.id)).sub_account_user_ids).toEqual([]);
    await users.disable({ user: kim.id });
    expect(await idsSeenBy(anna.id)).toEqual([anna.id]);
    await expect(as(await now(anna.id)).users.get({ id: kim.id })).rejects.toMatchObject({
      name: 'NotFound',
    });
  });

  it('start with the user unless another order is requested, even across pages', async () => {
    const [anna, ben, cleo] = [await someone(), await someone(), await someone()];
    await teamOf(anna.id, ben.id, cleo.id);
    const { users: own } = as(await now(cleo.id));
    const ids = async (query: Parameters<typeof own.find>[0]) =>
      (await own.find(query)).data.map(({ id }) => id);
    expect(await ids({})).toEqual([cleo.id, anna.id, ben.id]);
    expect(await ids({ $limit: 1 })).toEqual([cleo.id]);
    expect(await ids({ $limit: 1, $skip: 1 })).toEqual([anna.id]);
    expect(await ids({ $limit: 1, $skip: 2 })).toEqual([ben.id]);
    expect(await ids({ $sort: { id: 1 } })).toEqual([anna.id, ben.id, cleo.id]);
    expect(await ids({ $sort: { email: -1 } })).toEqual([cleo.id, ben.id, anna.id]);
    expect(await ids({ email: 'PERSON1@example.com' })).toEqual([]);
  });

  it('show their names and numbers, and nothing about their accounts', async () => {
    const { id } = await someone();
    await users.change({
      user: id,
      first_name: 'Asha',
      system_phone: '+16045554572',
      profile_picture: 'https://example.com/asha.png',
      timezone: 'Asia/Kolkata',
    });
    const shown = await as(await now(id)).users.get({ id });
    expect(shown).toEqual({
      id,
      first_name: 'Asha',
      last_name: null,
      email: shown.email,
      username: shown.email,
      phone: null,
      system_phone: '+16045554572',
      timezone_offset: 5,
      timezone: 'Asia/Kolkata',
      profile_picture: 'https://example.com/asha.png',
      created_at: expect.any(String),
      modified_at: expect.any(String),
    });
    expect(shown.modified_at > shown.created_at).toBe(true);
    const { users: own } = as(await now(id));
    expect(await own.find({ username: shown.email })).toMatchObject({ total: 1, data: [{ id }] });
    expect(await own.find({ username: null })).toMatchObject({ total: 0 });
    await users.change({ user: id, username: 'asha' });
    expect(await own.get({ id })).toMatchObject({ username: 'asha' });
    expect(await own.find({ username: shown.email })).toMatchObject({ total: 0 });
    expect(await own.get({ id, $select: ['timezone_offset'] })).toEqual({ id, timezone_offset: 5 });
    expect(await own.get({ id, $select: ['email'] })).toEqual({ id, email: shown.email });
  });

  it('can be read by other services by their ids, with disabled ones marked and unknown ones left out', async () => {
    const [anna, ben] = [await someone(), await someone()];
    await users.change({ user: ben.id, first_name: 'Ben', phone: '604 555 4572' });
    await users.disable({ user: anna.id });
    const told = await users.byIds({ ids: [ben.id, 999_999, anna.id, ben.id] });
    expect(told).toEqual([
      expect.objectContaining({ id: anna.id, is_active: false }),
      {
        id: ben.id,
        first_name: 'Ben',
        last_name: null,
        email: expect.stringMatching(/^person\d+@example\.com$/),
        phone: '+16045554572',
        timezone: 'America/Los_Angeles',
        has_text_alerts: true,
        has_call_alerts: true,
        is_email_unreachable: false,
        is_phone_unreachable: false,
        is_active: true,
      },
    ]);
    expect(await users.byIds({ ids: [] })).toEqual([]);
    const ids = Array.from({ length: 1001 }, (_, index) => index + 1);
    await expect(users.byIds({ ids })).rejects.toMatchObject({ name: 'BadRequest' });
    expect((await users.byIds({ ids: ids.slice(0, 1000) })).length).toBeGreaterThan(1);
    await expect(as(ben).users.byIds({ ids: [ben.id] })).rejects.toMatchObject({ name: 'Forbidden' });
  });
});
