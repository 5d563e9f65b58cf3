import type { User } from '@crm/auth';
import { afterAll, describe, expect, it } from 'vitest';
import { identityUnderTest } from '../../test/harness.ts';
import { peopleIn } from '../../test/people.ts';
import { Delegations } from '../migrations/0008-delegations.ts';

const identity = await identityUnderTest();
afterAll(identity.close);
const { someone, now, add, consent } = peopleIn(identity);
const { users, subAccounts, actors } = identity.asSystem;
const as = identity.as;

const resolved = (token: string) => actors.resolve({ token }).catch(({ name }) => name);
const pair = async () => [await someone({ is_broker: true }), await someone()] as const;
const refusalOf = (asked: Promise<unknown>) =>
  asked.then(
    () => 'added',
    ({ name, message, errors }) => ({ name, message, errors }),
  );
const stateOf = async (brokerId: number, userId: number) =>
  (
    await identity.rows(
      'select state from delegations where broker_user_id = $1 and user_id = $2 order by id',
      [brokerId, userId],
    )
  ).map(({ state }) => state);

describe('a broker', () => {
  it('can add nobody who has not allowed it, and does not learn the reason', async () => {
    const [[kim, lee], max, taken] = [await pair(), await someone({ is_broker: true }), await someone()];
    const [off, own] = [await someone(), await someone()];
    await add(max, taken);
    await add(kim, own);
    await users.disable({ user: off.id });
    const before = await identity.rows('select count(*) from outbox');
    const asked = [lee.id, 999_999, kim.id, max.id, taken.id, off.id, own.id];
    const refusals = [];
    for (const user_id of asked) refusals.push(await refusalOf(as(kim).subAccounts.create({ user_id })));
    expect(new Set(refusals.map((refusal) => JSON.stringify(refusal))).size).toBe(1);
    expect(refusals[0]).toMatchObject({
      name: 'BadRequest',
      errors: { user_id: 'must be a user who has allowed you to add them' },
    });
    expect(await identity.rows('select count(*) from outbox')).toEqual(before);
  });

  it('can add a user once for each consent', async () => {
    const [kim, lee] = await pair();
    const { id } = await add(kim, lee);
    await as(kim).subAccounts.remove({ id });
    expect(await refusalOf(as(kim).subAccounts.create({ user_id: lee.id }))).not.toBe('added');
    expect(await add(kim, lee)).toMatchObject({ user_id: lee.id });
  });

  it('cannot use a consent that a user gave another broker, or one older than 7 days', async () => {
    const [[kim, lee], max] = [await pair(), await someone({ is_broker: true })];
    await consent(max, lee);
    const ask = (broker: typeof kim) => refusalOf(as(broker).subAccounts.create({ user_id: lee.id }));
    expect(await ask(kim)).not.toBe('added');
    const aged = (days: number) =>
      identity.rows(
        "update delegations set expires_at = expires_at - $1 * interval '1 day' where user_id = $2",
        [days, lee.id],
      );
    await aged(7.001);
    expect(await ask(max)).not.toBe('added');
    await consent(max, lee);
    await aged(6.99);
    expect(await ask(max)).toBe('added');
  });

  it('can add an account that was created for them, without a time limit', async () => {
    const kim = await someone({ is_broker: true });
    const draft = { sub_account_of: kim.id };
    const { id: user_id } = await users.create({ ...draft, email: 'made-for-kim@example.com' });
    await identity.rows("update delegations set created_at = now() - interval '1 year' where user_id = $1", [
      user_id,
    ]);
    expect(await as(kim).subAccounts.create({ user_id })).toMatchObject({ user_id });
    for (const wrong of [
      { sub_account_of: user_id },
      { sub_account_of: 'nobody@example.com' },
      { is_broker: true },
    ]) {
      const asked = users.create({ ...draft, email: 'not-made@example.com', ...wrong });
      await expect(asked).rejects.toMatchObject({ errors: { sub_account_of: expect.any(String) } });
    }
    expect(await users.search({ email: 'not-made@example.com' })).toMatchObject({ total: 0 });
  });
});

describe('the operator', () => {
  it('can consent for a user by e-mail or id, and is told what is wrong otherwise', async () => {
    const [[kim, lee], max, taken] = [await pair(), await someone({ is_broker: true }), await someone()];
    const { data } = await users.search({ id: lee.id });
    await add(max, taken);
    expect(await subAccounts.consent({ broker: kim.id, user: String(data[0]?.email) })).toMatchObject({
      broker_user_id: kim.id,
      user_id: lee.id,
      state: 'pending',
      expires_at: expect.any(String),
    });
    for (const [broker, user, field] of [
      [lee.id, taken.id, 'broker'],
      ['nobody@example.com', lee.id, 'broker'],
      [kim.id, 999_999, 'user'],
      [kim.id, max.id, 'user'],
      [kim.id, taken.id, 'user'],
      [kim.id, kim.id, 'user'],
    ] as const) {
      const asked = subAccounts.consent({ broker, user });
      await expect(asked).rejects.toMatchObject({
        name: 'BadRequest',
        errors: { [field]: expect.any(String) },
      });
    }
    await expect(as(kim).subAccounts.consent({ broker: kim.id, user: lee.id })).rejects.toMatchObject({
      name: 'Forbidden',
    });
  });

  it('can repeat a consent without further effect', async () => {
    const [kim, lee] = await pair();
    await Promise.all([consent(kim, lee), consent(kim, lee)]);
    const made = await as(kim).subAccounts.create({ user_id: lee.id });
    expect(await consent(kim, lee)).toMatchObject({ state: 'active', expires_at: null });
    expect((await as(kim).subAccounts.get({ id: made.id })).access_token).toBe(made.access_token);
    expect(await stateOf(kim.id, lee.id)).toEqual(['active']);
  });
});

describe('what a user has allowed', () => {
  it.each([
    ['the broker removes the sub-account', async (kim, _lee, id) => as(kim).subAccounts.remove({ id })],
    ['the broker is disabled', async (kim) => users.disable({ user: kim.id })],
    ['the broker is one no longer', async (kim) => users.change({ user: kim.id, is_broker: false })],
    ['the user is disabled', async (_kim, lee) => users.disable({ user: lee.id })],
    [
      'the password changes',
      async (_kim, lee) => users.changePassword({ user: lee.id, password: 'another one' }),
    ],
  ] as [string, (kim: User, lee: User, id: number) => Promise<unknown>][])(
    'ends when %s, for good and with an event',
    async (how, end) => {
      const [kim, lee] = await pair();
      const { id, access_token } = await add(kim, lee);
      const other = await someone();
      await consent(kim, other);
      const delegation = await resolved(access_token);
      await end(kim, lee, id);
      expect(await resolved(access_token)).toBe('NotAuthenticated');
      await users.enable({ user: kim.id });
      await users.enable({ user: lee.id });
      await users.change({ user: kim.id, is_broker: true });
      const { data } = await as(kim).subAccounts.find({ user_id: lee.id });
      for (const token of [access_token, ...data.map((row) => row.access_token)])
        expect(await resolved(token)).toBe('NotAuthenticated');
      const ended = (await identity.published()).filter(
        ({ type, data }) => type === 'crm.identity.delegation.ended' && data.user_id === lee.id,
      );
      expect(ended.map((event) => event.data)).toEqual([
        {
          delegation_id: delegation.act.delegation_id,
          broker_user_id: kim.id,
          user_id: lee.id,
          is_user_disabled: how === 'the user is disabled',
        },
      ]);
    },
  );

  it('is checked again when a token is resolved', async () => {
    const [kim, lee] = await pair();
    const { id, access_token } = await add(kim, lee);
    // Only a bug could leave the token in this state.
    await identity.rows("update delegations set state = 'ended' where sub_account_id = $1", [id]);
    expect(await resolved(access_token)).toBe('NotAuthenticated');
  });

  it('but the broker has not used also ends when the password changes', async () => {
    const [kim, lee] = await pair();
    await consent(kim, lee);
    await users.changePassword({ user: lee.id, password: 'another one' });
    expect(await refusalOf(as(kim).subAccounts.create({ user_id: lee.id }))).not.toBe('added');
  });
});

describe('a sub-account without the consent of its user', () => {
  /** A sub-account from a version without consents, after the migration to this version. */
  async function suspended() {
    const [kim, lee] = await pair();
    const { id, access_token } = await add(kim, lee);
    await identity.rows('drop table delegations');
    const migration = new Delegations({} as never, {} as never);
    migration.up();
    const statements = migration.getQueries().join(';').split(';');
    for (const sql of statements.filter((text) => text.trim() !== '')) await identity.rows(sql);
    return { kim, lee, id, access_token };
  }

  it('keeps its record and its switches, and has a token that does not work', async () => {
    const { kim, lee, id, access_token } = await suspended();
    expect(await resolved(access_token)).toBe('NotAuthenticated');
    const shown = await as(kim).subAccounts.get({ id });
    expect(shown).toMatchObject({ id, user_id: lee.id, user: { id: lee.id } });
    expect(await resolved(shown.access_token)).toBe('NotAuthenticated');
    expect((await now(lee.id)).broker).toMatchObject({ id: kim.id });
  });

  it('gets another token with the consent of its user', async () => {
    const { kim, lee, id, access_token } = await suspended();
    expect(await consent(kim, lee)).toMatchObject({ state: 'active' });
    expect(await resolved(access_token)).toBe('NotAuthenticated');
    const shown = await as(kim).subAccounts.get({ id });
    expect(await resolved(shown.access_token)).toMatchObject({ id: lee.id, act: { id: kim.id } });
  });
});

describe('what a broker has planned under a consent that has ended', () => {
  const standing = (id: number) => actors.standingDelegations({ ids: [id] });
  const delegationOf = async (broker: User, user: User) =>
    Number(
      (
        await identity.rows(
          'select max(id) as id from delegations where broker_user_id = $1 and user_id = $2 and state <> $3',
          [broker.id, user.id, 'pending'],
        )
      )[0]?.id,
    );

  it('stands again when the user has allowed the same broker again, under the new consent', async () => {
    const [kim, lee] = await pair();
    await add(kim, lee);
    const first = await delegationOf(kim, lee);
    expect(await standing(first)).toEqual([{ id: first, active_id: first }]);
    await users.changePassword({ user: lee.id, password: 'another one' });
    expect(await standing(first)).toEqual([]);
    await consent(kim, lee);
    const second = await delegationOf(kim, lee);
    expect(second).not.toBe(first);
    expect(await standing(first)).toEqual([{ id: first, active_id: second }]);
    await users.disable({ user: kim.id });
    expect(await standing(first)).toEqual([]);
  });

  it('does not stand while the broker cannot act yet, nor because of another broker or user', async () => {
    const [[kim, lee], [max, mia]] = [await pair(), await pair()];
    const { id } = await add(kim, lee);
    const first = await delegationOf(kim, lee);
    await as(kim).subAccounts.remove({ id });
    await add(kim, mia);
    await consent(kim, lee);
    expect(await standing(first)).toEqual([]);
    await users.changePassword({ user: lee.id, password: 'another one' });
    await add(max, lee);
    expect(await standing(first)).toEqual([]);
  });
});
