import { afterAll, describe, expect, it } from 'vitest';
import { identityUnderTest } from '../../test/harness.ts';
import { peopleIn } from '../../test/people.ts';

const identity = await identityUnderTest();
afterAll(identity.close);
const { someone, now, join } = peopleIn(identity);
const { teamMembers } = identity.asSystem;
const as = identity.as;

describe('a team member', () => {
  it('sees all members in every state after joining, and only itself before', async () => {
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

  it('can answer its own invitation either way at any time, and nobody can answer for another user', async () => {
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

  it('who has not accepted, or has declined later, sees no other member and has no teammates', async () => {
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

  it('who created the team belongs to it whatever the answer is', async () => {
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

  it('can be found and sorted by fields of its team and its user', async () => {
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

  it('is invited once, however many invitations are sent at once', async () => {
    const [anna, ben] = [await someone(), await someone()];
    const { id: team_id } = await as(anna).teams.create({ name: 'North' });
    const asked = await Promise.all(
      Array.from({ length: 8 }, () => teamMembers.invite({ team_id, user_id: ben.id })),
    );
    expect(new Set(asked.map(({ id }) => id)).size).toBe(1);
    expect(await identity.rows('select from team_members where team_id = $1', [team_id])).toHaveLength(2);
  });

  it('is visible to nobody after its removal', async () => {
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
