import type { User } from '@crm/auth';
import { afterAll, describe, expect, it } from 'vitest';
import { identityUnderTest } from '../../test/harness.ts';
import { oauthIn } from '../../test/oauth-client.ts';
import { ownOrigin, tokenIn } from '../../test/visitor.ts';

const identity = await identityUnderTest();
afterAll(identity.close);
const { someUser, someApp, tokensFor, withdraw, refresh, revoke, isGood } = oauthIn(identity);
const { actors, applications, security, subAccounts, tokens, users } = identity.asSystem;
const { as, rows } = identity;

const actorOf = async (token: string) => (await actors.resolve({ token })) as User;

/** A broker who has connected an application and has a token, and a sub-account whose token the application has read. */
async function scene(scope = 'write') {
  const [broker, lee, app] = [await someUser(), await someUser(), await someApp()];
  await users.change({ user: broker.id, is_broker: true });
  const pair = await tokensFor(broker, app, { scope });
  const own = await tokens.create({ user: broker.id, scope: scope === 'read' ? 'read' : 'write' });
  await subAccounts.consent({ broker: broker.id, user: lee.id });
  const made = (await tokens.create({ user: broker.id })).access_token;
  const { id, access_token } = await as(await actorOf(made)).subAccounts.create({ user_id: lee.id });
  return { broker, lee, app, pair, own, made, id, access_token };
}
type Scene = Awaited<ReturnType<typeof scene>>;

const misuse = async ({ app, pair }: Scene) => {
  await refresh(app, pair.refresh_token);
  await rows("update refresh_tokens set used_at = used_at - interval '1 hour' where used_at is not null");
  await refresh(app, pair.refresh_token);
};

async function revokeOnPage({ broker: { browser }, own }: Scene) {
  const path = `/account/security/tokens/${own.id}/revoke`;
  const form_token = tokenIn(await browser.get(security.show), path);
  const sent = { params: { token_id: String(own.id) }, headers: ownOrigin };
  await browser.post(security.revokeToken, { form_token }, sent);
}

describe('the tokens of the sub-accounts of a broker', () => {
  it.each([
    [
      'changes the password',
      ({ broker }) => users.changePassword({ user: broker.id, password: 'another one' }),
    ],
    ['withdraws an application', ({ broker, app }) => withdraw(broker, app)],
    ['revokes a token', revokeOnPage],
    ['has a token that the operator revokes', ({ own }) => tokens.revoke({ token: own.id })],
    [
      'uses an application that is disabled',
      ({ app }) => applications.change({ id: app.id, is_disabled: true }),
    ],
    ['uses an application that is removed', ({ app }) => applications.remove({ id: app.id })],
    ['uses an application whose refresh token was stolen', misuse],
  ] as [string, (scene: Scene) => Promise<unknown>][])('end when the broker %s', async (_, end) => {
    const here = await scene();
    const other = await scene();
    await end(here);
    expect(await isGood(here.access_token)).toBe(false);
    expect(await isGood(other.access_token)).toBe(true);
    const revoked = (await identity.published()).filter(
      ({ type, data }) => type === 'crm.identity.access-token.revoked' && data.user_id === here.lee.id,
    );
    expect(revoked).toHaveLength(1);

    const again = (await tokens.create({ user: here.broker.id })).access_token;
    const shown = await as(await actorOf(again)).subAccounts.get({ id: here.id });
    expect(await actors.resolve({ token: shown.access_token })).toMatchObject({ id: here.lee.id });
  });

  it.each([
    ['a client revokes its own token', ({ app, pair }) => revoke(app, pair.access_token)],
    ['a client revokes its refresh token', ({ app, pair }) => revoke(app, pair.refresh_token)],
    ['a client refreshes its tokens', ({ app, pair }) => refresh(app, pair.refresh_token)],
    [
      'the operator has created a token for an import, and is done',
      ({ own }) => tokens.revoke({ token: own.id, discard: true }),
    ],
    [
      'a token expires',
      ({ own }) => rows('update access_tokens set expires_at = now() where id = $1', [own.id]),
    ],
  ] as [string, (scene: Scene) => Promise<unknown>][])('stay when %s', async (_, act) => {
    const here = await scene();
    await act(here);
    expect(await isGood(here.access_token)).toBe(true);
  });

  it.each([
    ['withdraws an application', ({ broker, app }) => withdraw(broker, app)],
    ['revokes a token', revokeOnPage],
    ['has a token that the operator revokes', ({ own }) => tokens.revoke({ token: own.id })],
    [
      'uses an application that is disabled',
      ({ app }) => applications.change({ id: app.id, is_disabled: true }),
    ],
    ['uses an application whose refresh token was stolen', misuse],
  ] as [string, (scene: Scene) => Promise<unknown>][])(
    'stay when the broker %s that could only read',
    async (_, act) => {
      const here = await scene('read');
      await act(here);
      expect(await isGood(here.access_token)).toBe(true);
    },
  );

  it('are read with a trace of the application that reads them', async () => {
    const here = await scene();
    const { subAccounts: list } = as(await actorOf(here.pair.access_token));
    await list.find({});
    await list.get({ id: here.id });
    const read = await rows(
      `select action, client_id, record_id from audit_events
       where user_id = $1 and action in ('subAccounts.find', 'subAccounts.get') order by created_at, action`,
      [here.broker.id],
    );
    const { client_id } = here.app;
    expect(read).toEqual([
      { action: 'subAccounts.find', client_id, record_id: null },
      { action: 'subAccounts.get', client_id, record_id: here.id },
    ]);
  });

  it('are not replaced for a request that was admitted before its own token was revoked', async () => {
    const here = await scene();
    const thief = await actorOf(here.own.access_token);
    await tokens.revoke({ token: here.own.id });
    for (const ask of [
      () => as(thief).subAccounts.get({ id: here.id }),
      () => as(thief).subAccounts.find({}),
    ])
      await expect(ask()).rejects.toMatchObject({ name: 'NotAuthenticated' });
    const { id: user_id } = await someUser();
    await subAccounts.consent({ broker: here.broker.id, user: user_id });
    await expect(as(thief).subAccounts.create({ user_id })).rejects.toMatchObject({
      name: 'NotAuthenticated',
    });
    const { access_token } = await as(await actorOf(here.made)).subAccounts.get({ id: here.id });
    expect(await isGood(access_token)).toBe(true);
  });
});
