import { afterAll, expect, it } from 'vitest';
import { identityUnderTest } from '../../test/harness.ts';
import { oauthIn } from '../../test/oauth-client.ts';

const identity = await identityUnderTest();
afterAll(identity.close);
const { someUser, someApp, tokensFor, codeFor, exchange, refresh, introspect, isGood, queryOf } =
  oauthIn(identity);
const { consent, subAccounts, tokens, users } = identity.asSystem;

it('an application does nothing while its owner is disabled, and the same as before afterwards', async () => {
  const [owner, ada, ben] = [await someUser(), await someUser(), await someUser()];
  const app = await someApp({ owner: owner.id, name: 'Open House Planner' });
  const pair = await tokensFor(ada, app);
  const code = await codeFor(ben, app);
  expect(await users.disable({ user: owner.id })).toMatchObject({
    id: owner.id,
    is_active: false,
    applications: [{ id: app.id, name: 'Open House Planner' }],
  });
  expect(await isGood(pair.access_token)).toBe(false);
  for (const ask of [
    () => refresh(app, pair.refresh_token),
    () => exchange(app, code),
    () => introspect(app, pair.access_token),
  ])
    expect(await ask()).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
  const page = await ben.browser.get(consent.show, queryOf(app));
  expect(page.status).toBe(400);
  expect(page.body).toContain('The application that sent you here is unknown.');

  await users.enable({ user: owner.id });
  expect(await isGood(pair.access_token)).toBe(true);
  expect(await refresh(app, pair.refresh_token)).toMatchObject({ status: 200 });
});

it('an application of a disabled owner keeps no tokens of sub-accounts', async () => {
  const [owner, broker, lee] = [await someUser(), await someUser(), await someUser()];
  await users.change({ user: broker.id, is_broker: true });
  await tokensFor(broker, await someApp({ owner: owner.id }));
  await subAccounts.consent({ broker: broker.id, user: lee.id });
  const { access_token } = await tokens.create({ user: broker.id });
  const actor = await identity.asSystem.actors.resolve({ token: access_token });
  const made = await identity.as(actor).subAccounts.create({ user_id: lee.id });
  await users.disable({ user: owner.id });
  expect(await isGood(made.access_token)).toBe(false);
});

it('disabling an account names only applications that would work', async () => {
  const owner = await someUser();
  const [removed, disabled, own] = [
    await someApp({ owner: owner.id }),
    await someApp({ owner: owner.id }),
    await someApp({ owner: owner.id }),
  ];
  await identity.asSystem.applications.remove({ id: removed.id });
  await identity.asSystem.applications.change({ id: disabled.id, is_disabled: true });
  const { applications } = await users.disable({ user: owner.id });
  expect(applications.map(({ id }) => id)).toEqual([own.id]);
});
