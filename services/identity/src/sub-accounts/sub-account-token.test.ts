import { hashOfToken, subAccountToken } from '@crm/auth';
import { openTransaction, untilWaiting } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { identityUnderTest } from '../../test/harness.ts';
import { peopleIn } from '../../test/people.ts';
import { forgetEndedTokens } from '../tokens/own-tokens.queries.ts';

const identity = await identityUnderTest();
afterAll(identity.close);
const { someone, now, add } = peopleIn(identity);
const { actors, tokens } = identity.asSystem;
const as = identity.as;

const resolved = (token: string) => actors.resolve({ token }).catch(({ name }) => name);
const pair = async () => [await someone({ is_broker: true }), await someone()] as const;

describe('the token of a sub-account', () => {
  const ageTo = (id: number, interval: string) =>
    identity.rows(
      `update access_tokens set expires_at = now() + interval '${interval}' where sub_account_id = $1`,
      [id],
    );
  const daysLeft = async (id: number) => {
    const [row] = await identity.rows(
      `select extract(epoch from max(expires_at) - now()) / 86400 as days
       from access_tokens where sub_account_id = $1`,
      [id],
    );
    return Math.round(Number(row?.days));
  };

  it.each(['get', 'find'] as const)('lives for 90 days after the broker has read it: %s', async (how) => {
    const [kim, lee] = await pair();
    const { id, access_token } = await add(kim, lee);
    expect(await daysLeft(id)).toBe(90);
    const read = async () =>
      how === 'get'
        ? (await as(kim).subAccounts.get({ id })).access_token
        : (await as(kim).subAccounts.find({ id })).data[0]?.access_token;
    await ageTo(id, '10 days');
    expect(await read()).toBe(access_token);
    expect(await daysLeft(id)).toBe(90);
  });

  it('that has expired is replaced when the broker reads it, once however often at once', async () => {
    const [kim, lee] = await pair();
    const { id, access_token } = await add(kim, lee);
    await ageTo(id, '-401 days');
    expect(await resolved(access_token)).toBe('NotAuthenticated');
    await forgetEndedTokens(identity.database.query);
    const read = await Promise.all(Array.from({ length: 5 }, () => as(kim).subAccounts.get({ id })));
    const [shown, ...others] = new Set(read.map((row) => row.access_token));
    expect(others).toEqual([]);
    expect(shown).not.toBe(access_token);
    expect(await resolved(String(shown))).toMatchObject({ id: lee.id });
    expect(await resolved((await as(kim).subAccounts.get({ id })).access_token)).toMatchObject({
      id: lee.id,
    });
    expect(await resolved(access_token)).toBe('NotAuthenticated');
  });

  it('is the current one, although it was replaced while the broker read it', async () => {
    const [kim, lee] = await pair();
    const { id, access_token } = await add(kim, lee);
    await using replacing = await openTransaction(
      identity.database,
      `lock table access_tokens in exclusive mode; update sub_accounts set generation = generation + 1 where id = ${id}`,
    );
    const reading = as(kim).subAccounts.get({ id });
    await untilWaiting(identity.rows, [reading]);
    await replacing.commit();
    const shown = await reading;
    expect(shown.access_token).not.toBe(access_token);
    expect(shown.access_token).toBe((await as(kim).subAccounts.get({ id })).access_token);
  });

  it('that the operator has revoked is replaced when the broker reads it', async () => {
    const [kim, lee] = await pair();
    const { id, access_token } = await add(kim, lee);
    await tokens.revoke({ token: access_token });
    const shown = await as(kim).subAccounts.get({ id });
    expect(await resolved(shown.access_token)).toMatchObject({ id: lee.id, act: { id: kim.id } });
    expect(await resolved(access_token)).toBe('NotAuthenticated');
    expect((await as(kim).subAccounts.find({})).data[0]?.access_token).toBe(shown.access_token);
  });

  it('that was derived from another key is refused, and replaced when the broker reads it', async () => {
    const [kim, lee] = await pair();
    const { id } = await add(kim, lee);
    const [row] = await identity.rows('select generation from sub_accounts where id = $1', [id]);
    const old = subAccountToken('the key before', id, Number(row?.generation));
    const stored = [id, hashOfToken(old)];
    await identity.rows('update access_tokens set token_hash = $2 where sub_account_id = $1', stored);
    expect(await resolved(old)).toBe('NotAuthenticated');
    const shown = await as(kim).subAccounts.get({ id });
    expect(await resolved(shown.access_token)).toMatchObject({ id: lee.id, act: { id: kim.id } });
    expect(await resolved(old)).toBe('NotAuthenticated');
    const valid = 'select from access_tokens where sub_account_id = $1 and revoked_at is null';
    expect(await identity.rows(valid, [id])).toHaveLength(1);
  });

  it('names the broker in the actor, in events and to every service', async () => {
    const [kim, lee] = await pair();
    const { access_token } = await add(kim, lee);
    const actor = await actors.resolve({ token: access_token });
    expect(actor).toMatchObject({ id: lee.id, act: { id: kim.id, delegation_id: expect.any(Number) } });
    expect(await now(lee.id)).toMatchObject({ act: null });
    const { internal_token } = await actors.lend({ token: access_token, audience: 'contacts' });
    expect(JSON.parse(atob(internal_token.split('.')[1] ?? '')).actor).toEqual(actor);
    await as(actor).teams.create({ name: 'North' });
    const [row] = await identity.rows(
      "select payload from outbox where subject = 'crm.identity.team.created' order by id desc limit 1",
    );
    expect(row?.payload).toMatchObject({ actor: `user/${lee.id}`, act: `user/${kim.id}` });
  });

  it('is never one that existed before, although a restored database gives out its id again', async () => {
    const [[kim, lee], [max, zoe]] = [await pair(), await pair()];
    const lost = await add(kim, lee);
    await as(kim).subAccounts.remove({ id: lost.id });
    await identity.rows(`alter table sub_accounts alter column id restart with ${lost.id}`);
    const added = await add(max, zoe);
    expect(added.id).toBe(lost.id);
    expect(added.access_token).not.toBe(lost.access_token);
    expect(await resolved(lost.access_token)).toBe('NotAuthenticated');
    expect(await resolved(added.access_token)).toMatchObject({ id: zoe.id });
  });

  it('is never one that it had before, although a restored database has an earlier generation', async () => {
    const [kim, lee] = await pair();
    const { id } = await add(kim, lee);
    const [before] = await identity.rows('select generation from sub_accounts where id = $1', [id]);
    const renewed = async () => {
      await ageTo(id, '-1 day');
      return (await as(kim).subAccounts.get({ id })).access_token;
    };
    const lost = await renewed();
    await identity.rows(
      'delete from access_tokens where id = (select max(id) from access_tokens where sub_account_id = $1)',
      [id],
    );
    await identity.rows('update sub_accounts set generation = $2 where id = $1', [id, before?.generation]);
    expect(await renewed()).not.toBe(lost);
    expect(await resolved(lost)).toBe('NotAuthenticated');
  });
});
