import { afterAll, describe, expect, it } from 'vitest';
import { identityUnderTest } from '../../test/harness.ts';
import { peopleIn } from '../../test/people.ts';

const identity = await identityUnderTest();
afterAll(identity.close);
const { someone, now } = peopleIn(identity);
const { users, actors } = identity.asSystem;
const as = identity.as;

const dead = async (token: string) =>
  expect(actors.resolve({ token })).rejects.toMatchObject({ name: 'NotAuthenticated' });

async function office() {
  const [kim, lee, mia] = [await someone({ is_broker: true }), await someone(), await someone()];
  const made = [];
  for (const { id } of [lee, mia]) made.push(await as(kim).subAccounts.create({ user_id: id }));
  return { kim, lee, mia, made };
}

/** Each ends what a user is as a broker; the account is left as it stands. */
const endings = [
  ['withdrawn', (user: number) => users.change({ user, is_broker: false })],
  ['disabled', (user: number) => users.disable({ user })],
] as const;

describe.each(endings)('a broker who is %s', (_, end) => {
  it('lets all sub-accounts go: their tokens are dead, and they lose sight of the broker', async () => {
    const { kim, lee, mia, made } = await office();
    await end(kim.id);
    for (const { access_token } of made) await dead(access_token);
    for (const { id } of [lee, mia]) {
      const former = await now(id);
      expect(former.broker).toBeNull();
      expect(await as(former).users.find({})).toMatchObject({ total: 1, data: [{ id }] });
    }
    const removed = (await identity.published()).filter(
      ({ type, data }) =>
        type === 'crm.identity.sub-account.removed' &&
        (data as { broker_user_id: number }).broker_user_id === kim.id,
    );
    expect(removed.map(({ data }) => data)).toEqual(
      made.map(({ id, user_id }) => ({ sub_account_id: id, broker_user_id: kim.id, user_id })),
    );
  });

  it('leaves them free for another broker, and gets none of them back', async () => {
    const { kim, lee, mia, made } = await office();
    const max = await someone({ is_broker: true });
    await end(kim.id);
    await as(max).subAccounts.create({ user_id: lee.id });
    await users.enable({ user: kim.id });
    await users.change({ user: kim.id, is_broker: true });
    expect((await now(lee.id)).broker).toMatchObject({ id: max.id });
    expect((await now(mia.id)).broker).toBeNull();
    for (const { access_token } of made) await dead(access_token);
    const rows = await identity.rows('select from sub_accounts where broker_user_id = $1', [kim.id]);
    expect(rows).toEqual([]);
  });

  it('ends up with no sub-account that was added at the same moment', async () => {
    for (let round = 0; round < 10; round++) {
      const [kim, lee, mia] = [await someone({ is_broker: true }), await someone(), await someone()];
      const { subAccounts } = as(kim);
      const asked = [lee, mia].map(({ id: user_id }) => subAccounts.create({ user_id }));
      const [, ...outcomes] = await Promise.allSettled([end(kim.id), ...asked]);
      expect(await identity.rows('select from sub_accounts where broker_user_id = $1', [kim.id])).toEqual([]);
      for (const outcome of outcomes) {
        if (outcome.status === 'fulfilled') await dead(outcome.value.access_token);
        else expect(outcome.reason).toMatchObject({ name: 'Forbidden' });
      }
    }
  });
});

describe('the status as a broker', () => {
  it('is for whoever is nobody’s sub-account, also when both are asked for at once', async () => {
    const { lee } = await office();
    await expect(users.change({ user: lee.id, is_broker: true })).rejects.toMatchObject({
      name: 'BadRequest',
      errors: { is_broker: expect.any(String) },
    });
    const kim = await someone({ is_broker: true });
    for (let round = 0; round < 10; round++) {
      const { id } = await someone();
      await Promise.allSettled([
        users.change({ user: id, is_broker: true }),
        as(kim).subAccounts.create({ user_id: id }),
      ]);
      const both = await identity.rows(
        'select from users join sub_accounts on sub_accounts.user_id = users.id where users.id = $1 and is_broker',
        [id],
      );
      expect(both).toEqual([]);
    }
  });

  it('ends at once for /sub-accounts, and leaves the account alone', async () => {
    const { kim } = await office();
    await users.change({ user: kim.id, is_broker: false });
    const former = await now(kim.id);
    expect(former).toMatchObject({ is_broker: false, sub_account_user_ids: [] });
    await expect(as(former).subAccounts.find({})).rejects.toMatchObject({ name: 'Forbidden' });
  });
});

describe('the account of a sub-account', () => {
  it('that is disabled and enabled again shows its broker a token that works', async () => {
    const { kim, lee, made } = await office();
    const [{ id = 0, access_token = '' } = {}] = made;
    await users.disable({ user: lee.id });
    await dead(access_token);
    await dead((await as(kim).subAccounts.get({ id })).access_token);
    await users.enable({ user: lee.id });
    await dead(access_token);
    const shown = await as(kim).subAccounts.get({ id });
    expect(await actors.resolve({ token: shown.access_token })).toMatchObject({
      id: lee.id,
      broker: { id: kim.id },
    });
  });
});
