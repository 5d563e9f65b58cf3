import { afterAll, describe, expect, it } from 'vitest';
import { identityUnderTest } from '../../test/harness.ts';
import { peopleIn } from '../../test/people.ts';

const identity = await identityUnderTest();
afterAll(identity.close);
const { someone, now } = peopleIn(identity);
const { teams: allTeams, teamMembers, users } = identity.asSystem;
const as = identity.as;

async function join(team_id: number, user_id: number, request_status: 'Accepted' | 'Declined' = 'Accepted') {
  const { id } = await teamMembers.invite({ team_id, user_id });
  await as(await now(user_id)).teamMembers.patch({ id, request_status });
  return id;
}

describe('a team', () => {
  it('begins with its creator as an accepted member, and with what was left out at its usual value', async () => {
    const anna = await someone();
    const team = await as(anna).teams.create({ name: 'North' });
    expect(team).toEqual({
      id: team.id,
      name: 'North',
      is_contact_resource_sharing_enabled: false,
      order_method: 'Rank',
      mins_until_next_alert: 0,
      distribution_zipcodes: null,
    });
    expect((await now(anna.id)).team_ids).toEqual([team.id]);
  });

  it('is seen by its creator and by whoever joined it, and not by whoever is only invited or declined', async () => {
    const [anna, ben, cleo, dora] = [await someone(), await someone(), await someone(), await someone()];
    const { id } = await as(anna).teams.create({ name: 'North' });
    await join(id, ben.id);
    await teamMembers.invite({ team_id: id, user_id: cleo.id });
    await join(id, dora.id, 'Declined');

    expect(await as(await now(ben.id)).teams.get({ id })).toMatchObject({ name: 'North' });
    for (const other of [cleo, dora, await someone()]) {
      await expect(as(await now(other.id)).teams.get({ id })).rejects.toMatchObject({ name: 'NotFound' });
      expect(await as(await now(other.id)).teams.find({})).toMatchObject({ total: 0 });
    }
  });

  it('is changed and removed by its creator alone', async () => {
    const [anna, ben] = [await someone(), await someone()];
    const { id } = await as(anna).teams.create({ name: 'North' });
    await join(id, ben.id);
    const member = as(await now(ben.id)).teams;
    await expect(member.patch({ id, name: 'Mine' })).rejects.toMatchObject({ name: 'Forbidden' });
    await expect(member.remove({ id })).rejects.toMatchObject({ name: 'Forbidden' });
    expect(await as(anna).teams.patch({ id, name: 'South' })).toMatchObject({ name: 'South' });
    expect(await as(anna).teams.remove({ id })).toMatchObject({ id });
    expect((await now(ben.id)).team_ids).toEqual([]);
  });

  it('that orders by time waits no minutes between alerts', async () => {
    const { teams } = as(await someone());
    const { id } = await teams.create({ name: 'North', mins_until_next_alert: 5 });
    expect(await teams.get({ id })).toMatchObject({ mins_until_next_alert: 5 });
    expect(await teams.patch({ id, order_method: 'Time' })).toMatchObject({ mins_until_next_alert: 0 });
    expect(await teams.patch({ id, mins_until_next_alert: 7 })).toMatchObject({ mins_until_next_alert: 0 });
    expect(
      await teams.create({ name: 'Fast', order_method: 'Time', mins_until_next_alert: 3 }),
    ).toMatchObject({
      mins_until_next_alert: 0,
    });
  });

  it('makes its accepted members teammates, who share contacts where it says so', async () => {
    const [anna, ben, cleo] = [await someone(), await someone(), await someone()];
    const { id } = await as(anna).teams.create({ name: 'North', is_contact_resource_sharing_enabled: true });
    await join(id, ben.id);
    await teamMembers.invite({ team_id: id, user_id: cleo.id });

    expect(await now(ben.id)).toMatchObject({ teammate_ids: [anna.id], sharing_teammate_ids: [anna.id] });
    expect(await now(anna.id)).toMatchObject({ teammate_ids: [ben.id], sharing_teammate_ids: [ben.id] });
    expect(await now(cleo.id)).toMatchObject({ team_ids: [], teammate_ids: [], sharing_teammate_ids: [] });

    await as(anna).teams.patch({ id, is_contact_resource_sharing_enabled: false });
    expect(await now(ben.id)).toMatchObject({ teammate_ids: [anna.id], sharing_teammate_ids: [] });
  });

  it('joins nobody any more when its creator’s account has ended', async () => {
    const [anna, ben, cleo] = [await someone(), await someone(), await someone()];
    const { id } = await as(anna).teams.create({ name: 'North', is_contact_resource_sharing_enabled: true });
    await join(id, ben.id);
    await join(id, cleo.id);
    expect((await now(ben.id)).teammate_ids).toEqual([anna.id, cleo.id]);
    await users.disable({ user: anna.id });
    for (const member of [ben, cleo]) {
      const left = await now(member.id);
      expect(left).toMatchObject({ team_ids: [], teammate_ids: [], sharing_teammate_ids: [] });
      expect(await as(left).teamMembers.find({})).toMatchObject({
        total: 1,
        data: [{ user: { id: member.id } }],
      });
      expect(await as(left).users.find({})).toMatchObject({ total: 1 });
      await expect(as(left).teams.get({ id })).rejects.toMatchObject({ name: 'NotFound' });
    }
    await users.enable({ user: anna.id });
    expect(await now(ben.id)).toMatchObject({ team_ids: [id], sharing_teammate_ids: [anna.id, cleo.id] });
  });
});

describe('the zip codes of a team', () => {
  it.each(['98101', '98101,98112', '98101, 98112-1234 ,v6j4z3', 'V6J 4Z3'])(
    'are kept as sent: %s',
    async (sent) => {
      const { teams } = as(await someone());
      const { id } = await teams.create({ name: 'North', distribution_zipcodes: sent });
      expect(await teams.get({ id })).toMatchObject({ distribution_zipcodes: sent });
      expect(await teams.patch({ id, distribution_zipcodes: null })).toMatchObject({
        distribution_zipcodes: null,
      });
    },
  );

  it.each([
    '',
    '9810',
    '981011',
    'Seattle',
    '98101;98112',
    '98101,',
    ',98101',
    '98101,,98112',
    `98101${',98101'.repeat(200)}`,
  ])('are refused when they are none: %s', async (sent) => {
    const { teams } = as(await someone());
    const { id } = await teams.create({ name: 'North', distribution_zipcodes: '98101' });
    const refusal = { name: 'BadRequest', errors: { distribution_zipcodes: expect.any(String) } };
    await expect(teams.create({ name: 'South', distribution_zipcodes: sent })).rejects.toMatchObject(refusal);
    await expect(teams.patch({ id, distribution_zipcodes: sent })).rejects.toMatchObject(refusal);
    expect(await teams.find({})).toMatchObject({ total: 1, data: [{ distribution_zipcodes: '98101' }] });
  });
});

describe('what other services are told of a team', () => {
  it('is what it takes to act for it, by ids or by its creator, the oldest first', async () => {
    const [anna, ben, cleo, dora] = [await someone(), await someone(), await someone(), await someone()];
    const draft = { name: 'North', mins_until_next_alert: 5, distribution_zipcodes: '98101' };
    const north = await as(anna).teams.create(draft);
    const south = await as(anna).teams.create({ name: 'South', is_contact_resource_sharing_enabled: true });
    const other = await as(dora).teams.create({ name: 'Other' });
    await join(north.id, ben.id);
    await join(north.id, cleo.id, 'Declined');
    await teamMembers.invite({ team_id: north.id, user_id: dora.id });

    const facts = {
      ...draft,
      id: north.id,
      creator_user_id: anna.id,
      is_contact_resource_sharing_enabled: false,
      order_method: 'Rank',
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      accepted_user_ids: [anna.id, ben.id],
    };
    expect(await allTeams.byIds({ ids: [other.id, 999_999, north.id] })).toEqual([
      facts,
      expect.objectContaining({ id: other.id, accepted_user_ids: [dora.id] }),
    ]);
    expect(await allTeams.byIds({ ids: [] })).toEqual([]);
    expect(await allTeams.createdBy({ user_id: anna.id })).toEqual([
      facts,
      expect.objectContaining({ id: south.id, is_contact_resource_sharing_enabled: true }),
    ]);
    expect(await allTeams.createdBy({ user_id: ben.id })).toEqual([]);
  });

  it('leaves out members whose accounts are disabled, and all where the creator’s is', async () => {
    const [anna, ben, cleo] = [await someone(), await someone(), await someone()];
    const { id } = await as(anna).teams.create({ name: 'North' });
    for (const member of [ben, cleo]) await join(id, member.id);
    await users.disable({ user: ben.id });
    expect(await allTeams.byIds({ ids: [id] })).toMatchObject([{ accepted_user_ids: [anna.id, cleo.id] }]);
    await users.disable({ user: anna.id });
    expect(await allTeams.byIds({ ids: [id] })).toMatchObject([{ accepted_user_ids: [] }]);
    expect(await allTeams.createdBy({ user_id: anna.id })).toMatchObject([{ id, accepted_user_ids: [] }]);
  });

  it('is for the system alone, and about at most a thousand teams', async () => {
    const anna = await someone();
    await expect(as(anna).teams.byIds({ ids: [1] })).rejects.toMatchObject({ name: 'Forbidden' });
    await expect(as(anna).teams.createdBy({ user_id: anna.id })).rejects.toMatchObject({ name: 'Forbidden' });
    const ids = Array.from({ length: 1001 }, (_, index) => index + 1);
    await expect(allTeams.byIds({ ids })).rejects.toMatchObject({ name: 'BadRequest' });
  });
});

describe('a team member', () => {
  it('sees everyone of the team in every state once joined, and only oneself before', async () => {
    const [anna, ben, cleo] = [await someone(), await someone(), await someone()];
    const { id } = await as(anna).teams.create({ name: 'North' });
    await join(id, ben.id);
    const invitation = await teamMembers.invite({ team_id: id, user_id: cleo.id });

    const seen = await as(await now(ben.id)).teamMembers.find({ $sort: { id: 1 } });
    expect(seen.data.map((member) => [member.user.id, member.request_status])).toEqual([
      [anna.id, 'Accepted'],
      [ben.id, 'Accepted'],
      [cleo.id, 'Pending'],
    ]);
    expect(seen.data[0]?.team).toEqual({ id, name: 'North' });
    const own = await as(await now(cleo.id)).teamMembers.find({});
    expect(own).toMatchObject({ total: 1, data: [{ id: invitation.id, request_status: 'Pending' }] });
  });

  it('answers its own invitation, in any direction and at any time; nobody answers for another', async () => {
    const [anna, ben] = [await someone(), await someone()];
    const { id: team_id } = await as(anna).teams.create({ name: 'North' });
    const { id } = await teamMembers.invite({ team_id, user_id: ben.id });
    await expect(
      as(await now(anna.id)).teamMembers.patch({ id, request_status: 'Accepted' }),
    ).rejects.toMatchObject({
      name: 'Forbidden',
    });
    const stranger = as(await someone()).teamMembers;
    await expect(stranger.patch({ id, request_status: 'Accepted' })).rejects.toMatchObject({
      name: 'NotFound',
    });
    for (const request_status of ['Accepted', 'Declined', 'Pending', 'Accepted'] as const) {
      expect(await as(await now(ben.id)).teamMembers.patch({ id, request_status })).toMatchObject({
        request_status,
      });
    }
  });

  it('who has not accepted, or no longer does, sees nobody else and is nobody’s teammate', async () => {
    const [anna, ben, cleo] = [await someone(), await someone(), await someone()];
    const { id: team_id } = await as(anna).teams.create({
      name: 'North',
      is_contact_resource_sharing_enabled: true,
    });
    await join(team_id, cleo.id);
    const { id } = await teamMembers.invite({ team_id, user_id: ben.id });
    for (const request_status of ['Pending', 'Declined', 'Accepted', 'Declined'] as const) {
      await as(await now(ben.id)).teamMembers.patch({ id, request_status });
      const joined = request_status === 'Accepted';
      const actor = await now(ben.id);
      expect(await as(actor).teamMembers.find({})).toMatchObject({ total: joined ? 3 : 1 });
      expect(actor.teammate_ids).toEqual(joined ? [anna.id, cleo.id] : []);
      expect((await now(cleo.id)).sharing_teammate_ids).toEqual(joined ? [anna.id, ben.id] : [anna.id]);
    }
  });

  it('who made the team belongs to it whatever the answer', async () => {
    const [anna, ben] = [await someone(), await someone()];
    const { id: team_id } = await as(anna).teams.create({
      name: 'North',
      is_contact_resource_sharing_enabled: true,
    });
    await join(team_id, ben.id);
    const own = await as(await now(anna.id)).teamMembers.find({ 'user.id': anna.id } as object);
    await as(anna).teamMembers.patch({ id: own.data[0]?.id ?? 0, request_status: 'Declined' });
    expect(await now(anna.id)).toMatchObject({ team_ids: [team_id], sharing_teammate_ids: [ben.id] });
    expect(await now(ben.id)).toMatchObject({ team_ids: [team_id], sharing_teammate_ids: [anna.id] });
    expect(await as(await now(anna.id)).teamMembers.find({})).toMatchObject({ total: 2 });
  });

  it('is found by fields of its team and its user, and ordered by them', async () => {
    const [anna, ben] = [await someone(), await someone()];
    const north = await as(anna).teams.create({ name: 'North' });
    const south = await as(anna).teams.create({ name: 'South' });
    await join(north.id, ben.id);
    await join(south.id, ben.id);
    const { teamMembers: api } = as(await now(anna.id));
    expect(await api.find({ 'team.id': north.id } as object)).toMatchObject({ total: 2 });
    expect(await api.find({ 'user.id': ben.id, 'team.name': 'South' } as object)).toMatchObject({ total: 1 });
    const sorted = await api.find({ 'team.id': north.id, $sort: { 'user.id': -1 } } as object);
    expect(sorted.data.map(({ user }) => user.id)).toEqual([ben.id, anna.id]);
    await expect(api.find({ 'team.secret': 1 } as object)).rejects.toMatchObject({ name: 'BadRequest' });
  });

  it('is invited once, however many ask at once', async () => {
    const [anna, ben] = [await someone(), await someone()];
    const { id: team_id } = await as(anna).teams.create({ name: 'North' });
    const asked = await Promise.all(
      Array.from({ length: 8 }, () => teamMembers.invite({ team_id, user_id: ben.id })),
    );
    expect(new Set(asked.map(({ id }) => id)).size).toBe(1);
    expect(await identity.rows('select from team_members where team_id = $1', [team_id])).toHaveLength(2);
  });

  it('is gone from everyone’s sight when it is removed', async () => {
    const [anna, ben] = [await someone(), await someone()];
    const { id: team_id } = await as(anna).teams.create({
      name: 'North',
      is_contact_resource_sharing_enabled: true,
    });
    await join(team_id, ben.id);
    await teamMembers.remove({ team_id, user_id: ben.id });
    expect(await now(ben.id)).toMatchObject({ team_ids: [], teammate_ids: [] });
    expect(await now(anna.id)).toMatchObject({ teammate_ids: [] });
    await expect(teamMembers.remove({ team_id, user_id: ben.id })).rejects.toMatchObject({
      name: 'NotFound',
    });
  });
});
