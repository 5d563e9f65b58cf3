import { afterAll, describe, expect, it } from 'vitest';
import { identityUnderTest } from '../../test/harness.ts';
import { peopleIn } from '../../test/people.ts';
import { isPassword } from '../users/password.ts';

const identity = await identityUnderTest();
afterAll(identity.close);
const { someone, now, renewed, join, tokenOf } = peopleIn(identity);
const { users, tokens, actors, teamMembers } = identity.asSystem;
const as = identity.as;

const expectRevoked = async (token: string) =>
  expect(actors.resolve({ token })).rejects.toMatchObject({ name: 'NotAuthenticated' });
const eventsAbout = async (userId: number) =>
  (await identity.published())
    .filter(({ type, data }) => /identity\.user\./.test(type) && data.user_id === userId)
    .map(({ type, data, aggregateversion }) => [type.split('.').at(-1), aggregateversion, data]);

describe('disabling an account', () => {
  it('revokes all its access tokens, and enabling it restores none', async () => {
    const { id } = await someone();
    const second = await tokens.create({ user: id, scope: 'read' });
    expect(await users.disable({ user: id })).toMatchObject({ id, is_active: false });
    for (const token of [tokenOf(id), second.access_token]) await expectRevoked(token);
    expect(
      await identity.rows('select from access_tokens where user_id = $1 and revoked_at is null', [id]),
    ).toEqual([]);
    expect(await users.enable({ user: id })).toMatchObject({ id, is_active: true });
    for (const token of [tokenOf(id), second.access_token]) await expectRevoked(token);
    expect(await renewed(id)).toMatchObject({ id });
    const revoked = (await identity.published()).filter(
      ({ type, data }) => type === 'crm.identity.access-token.revoked' && data.user_id === id,
    );
    expect(revoked).toHaveLength(2);
  });

  it('works by id and by e-mail address in any spelling, like all other changes', async () => {
    const { id } = await someone();
    const [{ email = '' } = {}] = (await users.byIds({ ids: [id] })) as { email: string }[];
    expect(await users.disable({ user: email.toUpperCase() })).toMatchObject({ id, is_active: false });
    expect(await users.enable({ user: String(id) })).toMatchObject({ id, is_active: true });
    for (const user of [999_999, 'nobody@example.com']) {
      for (const ask of [
        () => users.disable({ user }),
        () => users.enable({ user }),
        () => users.change({ user }),
        () => users.changePassword({ user, password: 'long enough' }),
      ]) {
        await expect(ask()).rejects.toMatchObject({
          name: 'NotFound',
          message: `No record found for id '${user}'`,
        });
      }
    }
  });

  it('is for the system only', async () => {
    const anna = await someone({ is_broker: true });
    const { users: own } = as(anna);
    for (const ask of [
      () => own.disable({ user: anna.id }),
      () => own.enable({ user: anna.id }),
      () => own.change({ user: anna.id, is_broker: true }),
      () => own.changePassword({ user: anna.id, password: 'long enough' }),
      () => own.search({}),
    ]) {
      await expect(ask()).rejects.toMatchObject({ name: 'Forbidden' });
    }
  });

  it('is published with the id only, and once however often it is repeated, like all other changes', async () => {
    const { id } = await someone();
    await users.disable({ user: id });
    await users.disable({ user: id });
    await users.enable({ user: id });
    await users.enable({ user: id });
    await users.change({ user: id, first_name: 'Changed' });
    await users.changePassword({ user: id, password: 'another password' });
    const data = { user_id: id };
    expect(await eventsAbout(id)).toEqual([
      ['created', 1, data],
      ['disabled', 2, data],
      ['enabled', 3, data],
      ['changed', 4, data],
      ['changed', 5, data],
    ]);
  });

  it('leaves no valid token that was created at the same moment', async () => {
    for (let round = 0; round < 10; round++) {
      const { id } = await someone();
      const asked = Array.from({ length: 6 }, () => tokens.create({ user: id }));
      const disabling = users.disable({ user: id });
      const late = Array.from({ length: 6 }, () => tokens.create({ user: id }));
      const outcomes = await Promise.allSettled([...asked, ...late]);
      await disabling;
      expect(
        await identity.rows('select from access_tokens where user_id = $1 and revoked_at is null', [id]),
      ).toEqual([]);
      await users.enable({ user: id });
      for (const outcome of outcomes) {
        if (outcome.status === 'fulfilled') await expectRevoked(outcome.value.access_token);
        else expect(outcome.reason).toMatchObject({ name: 'Conflict', message: 'The account is disabled.' });
      }
    }
  });

  it('disconnects it from its teams until it is enabled', async () => {
    const [anna, ben] = [await someone(), await someone()];
    const draft = { name: 'North', is_contact_resource_sharing_enabled: true };
    const { id: team_id } = await as(anna).teams.create(draft);
    await join(team_id, ben.id);
    await users.disable({ user: ben.id });
    expect(await now(anna.id)).toMatchObject({ teammate_ids: [], sharing_teammate_ids: [] });
    await users.enable({ user: ben.id });
    expect(await now(anna.id)).toMatchObject({ teammate_ids: [ben.id], sharing_teammate_ids: [ben.id] });
  });

  it('prevents creating a token for it, inviting it, and adding it as a sub-account', async () => {
    const [kim, lee] = [await someone({ is_broker: true }), await someone()];
    const { id: team_id } = await as(kim).teams.create({ name: 'North' });
    await users.disable({ user: lee.id });
    await expect(tokens.create({ user: lee.id })).rejects.toMatchObject({ name: 'Conflict' });
    await expect(teamMembers.invite({ team_id, user_id: lee.id })).rejects.toMatchObject({
      name: 'NotFound',
    });
    await expect(as(kim).subAccounts.create({ user_id: lee.id })).rejects.toMatchObject({
      name: 'BadRequest',
      errors: { user_id: expect.any(String) },
    });
  });
});

describe('a new password', () => {
  it('revokes all access tokens, and is the only one that matches', async () => {
    const { id } = await someone();
    await users.changePassword({ user: id, password: 'correct horse battery' });
    await expectRevoked(tokenOf(id));
    const [row] = await identity.rows('select password_hash from users where id = $1', [id]);
    expect(await isPassword('correct horse battery', String(row?.password_hash))).toBe(true);
    expect(await isPassword('long enough', String(row?.password_hash))).toBe(false);
    expect(await renewed(id)).toMatchObject({ id });
  });

  it('is refused when it is too short', async () => {
    const { id } = await someone();
    await expect(users.changePassword({ user: id, password: 'short' })).rejects.toMatchObject({
      name: 'BadRequest',
      errors: { password: 'must have at least 8 characters' },
    });
    expect(await now(id)).toMatchObject({ id });
  });
});

describe('an account that is changed', () => {
  it('has the new values and keeps the others', async () => {
    const { id } = await someone();
    const before = await users.change({ user: id, last_name: 'Lopez', username: 'ml' });
    const after = await users.change({
      user: id,
      phone: '(604) 555-4572',
      timezone: 'Europe/Zurich',
      last_name: null,
    });
    expect(after).toEqual({
      ...before,
      phone: '+16045554572',
      timezone: 'Europe/Zurich',
      last_name: null,
      modified_at: after.modified_at,
    });
    expect(await now(id)).toMatchObject({ timezone: 'Europe/Zurich' });
    await expect(users.change({ user: id, timezone: 'Mars/Olympus' })).rejects.toMatchObject({
      name: 'BadRequest',
      errors: { timezone: expect.any(String) },
    });
  });
});
