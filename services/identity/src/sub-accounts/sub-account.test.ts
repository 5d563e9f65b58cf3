import { afterAll, describe, expect, it } from 'vitest';
import { identityUnderTest } from '../../test/harness.ts';
import { peopleIn } from '../../test/people.ts';

const identity = await identityUnderTest();
afterAll(identity.close);
const { someone, now, add, consent } = peopleIn(identity);
const { actors, teamMembers, users } = identity.asSystem;
const as = identity.as;

describe('a sub-account', () => {
  it('keeps its rights and sees nothing new unless the broker allows it', async () => {
    const [kim, lee] = [await someone({ is_broker: true }), await someone()];
    const made = await add(kim, lee, { user_can_see_broker_hotnesses: 'true' });
    expect(made).toMatchObject({
      user_id: lee.id,
      user_can_see_broker_hotnesses: true,
      is_contact_ownership_enabled: false,
      is_custom_fields_enabled: false,
      user_can_create_own_hotnesses: true,
      is_contact_ownership_new_enabled: true,
      user: { id: lee.id },
    });
    expect((await now(lee.id)).broker).toMatchObject({
      id: kim.id,
      switches: { user_can_see_broker_hotnesses: true, is_contact_ownership_enabled: false },
    });
    expect((await now(kim.id)).sub_account_user_ids).toEqual([lee.id]);
  });

  it('has a token that acts as its user, stays the same, and is not stored', async () => {
    const [kim, lee] = [await someone({ is_broker: true }), await someone()];
    await consent(kim, lee);
    const take = () => as(kim).subAccounts.create({ user_id: lee.id }, { idempotencyKey: 'once' });
    const { id, access_token } = await take();
    expect(await take()).toMatchObject({ id, access_token });
    expect(await actors.resolve({ token: access_token })).toMatchObject({ id: lee.id, scopes: ['write'] });
    expect(await as(kim).subAccounts.get({ id })).toMatchObject({ access_token });
    expect(await as(kim).subAccounts.find({})).toMatchObject({ total: 1, data: [{ access_token }] });
    await as(kim).subAccounts.remove({ id }, { idempotencyKey: 'once more' });
    const dump = [
      await identity.rows('select * from sub_accounts'),
      await identity.rows('select * from access_tokens'),
      await identity.rows('select * from outbox'),
      await identity.rows('select * from idempotency_keys'),
    ];
    expect(JSON.stringify(dump)).not.toContain(access_token);
  });

  it('shows its token only to the broker', async () => {
    const [kim, lee] = [await someone({ is_broker: true }), await someone()];
    const { access_token } = await add(kim, lee);
    const { id: team_id } = await as(kim).teams.create({ name: 'North' });
    await teamMembers.invite({ team_id, user_id: lee.id });
    for (const person of [kim, lee]) {
      const own = as(await now(person.id));
      const shown = [await own.me.get({}), await own.users.find({}), await own.teamMembers.find({})];
      expect(JSON.stringify(shown)).not.toContain(access_token);
    }
    const told = [await users.search({ id: lee.id }), await users.byIds({ ids: [lee.id] })];
    expect(JSON.stringify(told)).not.toContain(access_token);
    expect(JSON.stringify(await identity.published())).not.toContain(access_token);
  });

  it('is removed with its token before the response is sent', async () => {
    const [kim, lee] = [await someone({ is_broker: true }), await someone()];
    const { id, access_token } = await add(kim, lee);
    expect(await as(kim).subAccounts.remove({ id })).toMatchObject({ id, user_id: lee.id });
    await expect(actors.resolve({ token: access_token })).rejects.toMatchObject({ name: 'NotAuthenticated' });
    expect((await now(lee.id)).broker).toBeNull();
    const again = await add(kim, lee);
    expect(again.access_token).not.toBe(access_token);
  });

  it('is visible to its own broker only', async () => {
    const [kim, max, lee] = [
      await someone({ is_broker: true }),
      await someone({ is_broker: true }),
      await someone(),
    ];
    const { id } = await add(kim, lee);
    for (const ask of [
      () => as(lee).subAccounts.find({}),
      () => as(lee).subAccounts.get({ id }),
      () => as(lee).subAccounts.create({ user_id: max.id }),
      () => as(lee).subAccounts.remove({ id }),
    ]) {
      await expect(ask()).rejects.toMatchObject({ name: 'Forbidden' });
    }
    await expect(as(max).subAccounts.get({ id })).rejects.toMatchObject({ name: 'NotFound' });
    await expect(as(max).subAccounts.remove({ id })).rejects.toMatchObject({ name: 'NotFound' });
    expect(await as(max).subAccounts.find({})).toMatchObject({ total: 0 });
  });

  it('belongs to only one of two brokers who add its user at once', async () => {
    const [kim, max, lee] = [
      await someone({ is_broker: true }),
      await someone({ is_broker: true }),
      await someone(),
    ];
    for (const broker of [kim, max]) await consent(broker, lee);
    const outcomes = await Promise.allSettled(
      [kim, max].map((broker) => as(broker).subAccounts.create({ user_id: lee.id })),
    );
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await identity.rows('select from sub_accounts where user_id = $1', [lee.id])).toHaveLength(1);
  });
});
