import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, describe, expect, it } from 'vitest';
import { identityUnderTest } from '../../test/harness.ts';
import { peopleIn } from '../../test/people.ts';

const identity = await identityUnderTest();
afterAll(identity.close);
const { someone, now, add, consent } = peopleIn(identity);
const { users, actors } = identity.asSystem;
const as = identity.as;

const expectRevoked = async (token: string) =>
  expect(actors.resolve({ token })).rejects.toMatchObject({ name: 'NotAuthenticated' });

async function office() {
  const [kim, lee, mia] = [await someone({ is_broker: true }), await someone(), await someone()];
  const made = [];
  for (const user of [lee, mia]) made.push(await add(kim, user));
  return { kim, lee, mia, made };
}

const working = new AsyncLocalStorage<{ writes: number }>();
identity.database.orm.em.getEventManager().registerSubscriber({
  beforeFlush: async () => {
    const counted = working.getStore();
    if (counted) counted.writes += 1;
  },
});

/** The number of flushes during some work; each compares everything that was loaded. */
async function writesOf(work: () => Promise<unknown>): Promise<number> {
  const counted = { writes: 0 };
  await working.run(counted, work);
  return counted.writes;
}

/** Ways to stop being a broker. */
const endings = [
  ['a broker no longer', (user: number) => users.change({ user, is_broker: false })],
  ['disabled', (user: number) => users.disable({ user })],
] as const;

describe.each(endings)('a user who is %s', (_, end) => {
  it('loses all sub-accounts: their tokens are revoked, and they no longer see the broker', async () => {
    const { kim, lee, mia, made } = await office();
    await end(kim.id);
    for (const { access_token } of made) await expectRevoked(access_token);
    for (const { id } of [lee, mia]) {
      const former = await now(id);
      expect(former.broker).toBeNull();
      expect(await as(former).users.find({})).toMatchObject({ total: 1, data: [{ id }] });
    }
    const removed = (await identity.published()).filter(
      ({ type, data }) => type === 'crm.identity.sub-account.removed' && data.broker_user_id === kim.id,
    );
    expect(removed.map(({ data }) => data)).toEqual(
      made.map(({ id, user_id }) => ({ sub_account_id: id, broker_user_id: kim.id, user_id })),
    );
  });

  it('loses many in as many flushes as few, so that the time does not grow quadratically', async () => {
    const writesFor = async (count: number) => {
      const kim = await someone({ is_broker: true });
      for (let added = 0; added < count; added++) await add(kim, await someone());
      return writesOf(() => end(kim.id));
    };
    expect(await writesFor(9)).toBe(await writesFor(2));
  });

  it('leaves the users to other brokers, and gets none of them back', async () => {
    const { kim, lee, mia, made } = await office();
    const max = await someone({ is_broker: true });
    await end(kim.id);
    await add(max, lee);
    await users.enable({ user: kim.id });
    await users.change({ user: kim.id, is_broker: true });
    expect((await now(lee.id)).broker).toMatchObject({ id: max.id });
    expect((await now(mia.id)).broker).toBeNull();
    for (const { access_token } of made) await expectRevoked(access_token);
    const rows = await identity.rows('select from sub_accounts where broker_user_id = $1', [kim.id]);
    expect(rows).toEqual([]);
  });

  it('has no sub-account left, even if one is added at the same moment', async () => {
    for (let round = 0; round < 10; round++) {
      const [kim, lee, mia] = [await someone({ is_broker: true }), await someone(), await someone()];
      for (const user of [lee, mia]) await consent(kim, user);
      const { subAccounts } = as(kim);
      const asked = [lee, mia].map(({ id: user_id }) => subAccounts.create({ user_id }));
      const [, ...outcomes] = await Promise.allSettled([end(kim.id), ...asked]);
      expect(await identity.rows('select from sub_accounts where broker_user_id = $1', [kim.id])).toEqual([]);
      for (const outcome of outcomes) {
        if (outcome.status === 'fulfilled') await expectRevoked(outcome.value.access_token);
        else expect(outcome.reason).toMatchObject({ name: 'Forbidden' });
      }
    }
  });
});

describe('the status of a broker', () => {
  it('is refused for a sub-account, even if both are requested at once', async () => {
    const { lee } = await office();
    await expect(users.change({ user: lee.id, is_broker: true })).rejects.toMatchObject({
      name: 'BadRequest',
      errors: { is_broker: expect.any(String) },
    });
    const kim = await someone({ is_broker: true });
    for (let round = 0; round < 10; round++) {
      const { id } = await someone();
      await consent(kim, { id });
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

  it.each(['is_broker = false', 'disabled_at = now()'])(
    'is checked again when rights are resolved: %s',
    async (left) => {
      const { kim, lee } = await office();
      // Only a bug could leave the rows in this state.
      await identity.rows(`update users set ${left} where id = $1`, [kim.id]);
      expect((await now(lee.id)).broker).toBeNull();
    },
  );

  it('ends at once for /sub-accounts, and leaves the account unchanged', async () => {
    const { kim } = await office();
    await users.change({ user: kim.id, is_broker: false });
    const former = await now(kim.id);
    expect(former).toMatchObject({ is_broker: false, sub_account_user_ids: [] });
    await expect(as(former).subAccounts.find({})).rejects.toMatchObject({ name: 'Forbidden' });
  });
});
