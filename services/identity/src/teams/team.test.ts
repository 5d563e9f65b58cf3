import { afterAll, describe, expect, it } from 'vitest';
import { identityUnderTest } from '../../test/harness.ts';
import { peopleIn } from '../../test/people.ts';

const identity = await identityUnderTest();
afterAll(identity.close);
const { someone, now, join } = peopleIn(identity);
const { teams: allTeams, teamMembers, users } = identity.asSystem;
const as = identity.as;

describe('a team', () => {
  it('gets defaults for fields that a form leaves empty when it is created, but not when it is changed', async () => {
    const { teams } = as(await someone());
    const empty = { order_method: '', mins_until_next_alert: '', is_contact_resource_sharing_enabled: '' };
    const team = await teams.create({ name: 'North', ...empty } as never);
    expect(team).toMatchObject({ order_method: 'Rank', mins_until_next_alert: 0 });
    const refused = teams.patch({ id: team.id, order_method: '' } as never);
    await expect(refused).rejects.toMatchObject({
      name: 'BadRequest',
      errors: { order_method: 'must be one of Rank, Time' },
    });
  });

  it('starts with its creator as an accepted member, and with default values for omitted fields', async () => {
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
    expect((await as(await now(anna.id)).teamMembers.find({})).data).toMatchObject([
      { request_status: 'Accepted', team: { id: team.id }, user: { id: anna.id } },
    ]);
  });

  it('is visible to its creator and its accepted members, but not to those who are only invited or declined', async () => {
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

  it('is changed and removed only by its creator', async () => {
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

  it('that orders by time has no minutes between alerts', async () => {
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

  it('makes its accepted members teammates, who share contacts if it allows it', async () => {
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

  it('connects nobody while the account of its creator is disabled', async () => {
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
    'are stored as sent: %s',
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
    ['', null],
    [' , ', null],
    ['98101,', '98101'],
    [' ,98101, 98112 ', '98101, 98112'],
    [`98101${',98101'.repeat(600)}`, `98101${',98101'.repeat(600)}`],
  ])('are stored without leading and trailing commas and spaces: %s', async (sent, stored) => {
    const { teams } = as(await someone());
    const { id } = await teams.create({ name: 'North', distribution_zipcodes: sent });
    expect(await teams.get({ id })).toMatchObject({ distribution_zipcodes: stored });
    await teams.patch({ id, distribution_zipcodes: '98103' });
    expect(await teams.patch({ id, distribution_zipcodes: sent })).toMatchObject({
      distribution_zipcodes: stored,
    });
  });

  it.each(['9810', '981011', 'Seattle', '98101;98112', '98101,,98112', `98101${',98101'.repeat(700)}`])(
    'are refused if they are invalid: %s',
    async (sent) => {
      const { teams } = as(await someone());
      const { id } = await teams.create({ name: 'North', distribution_zipcodes: '98101' });
      const refusal = { name: 'BadRequest', errors: { distribution_zipcodes: expect.any(String) } };
      await expect(teams.create({ name: 'South', distribution_zipcodes: sent })).rejects.toMatchObject(
        refusal,
      );
      await expect(teams.patch({ id, distribution_zipcodes: sent })).rejects.toMatchObject(refusal);
      expect(await teams.find({})).toMatchObject({ total: 1, data: [{ distribution_zipcodes: '98101' }] });
    },
  );
});

describe('the facts about a team for other services', () => {
  it('can be read by ids or by the creator, oldest first', async () => {
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

  it('leave out members whose accounts are disabled, and all members if the creator is disabled', async () => {
    const [anna, ben, cleo] = [await someone(), await someone(), await someone()];
    const { id } = await as(anna).teams.create({ name: 'North' });
    for (const member of [ben, cleo]) await join(id, member.id);
    await users.disable({ user: ben.id });
    expect(await allTeams.byIds({ ids: [id] })).toMatchObject([{ accepted_user_ids: [anna.id, cleo.id] }]);
    await users.disable({ user: anna.id });
    expect(await allTeams.byIds({ ids: [id] })).toMatchObject([{ accepted_user_ids: [] }]);
    expect(await allTeams.createdBy({ user_id: anna.id })).toMatchObject([{ id, accepted_user_ids: [] }]);
  });

  it('are for the system only, and for at most a thousand teams', async () => {
    const anna = await someone();
    await expect(as(anna).teams.byIds({ ids: [1] })).rejects.toMatchObject({ name: 'Forbidden' });
    await expect(as(anna).teams.createdBy({ user_id: anna.id })).rejects.toMatchObject({ name: 'Forbidden' });
    const ids = Array.from({ length: 1001 }, (_, index) => index + 1);
    await expect(allTeams.byIds({ ids })).rejects.toMatchObject({ name: 'BadRequest' });
  });
});
