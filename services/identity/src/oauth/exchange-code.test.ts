import { afterAll, describe, expect, it } from 'vitest';
import { identityUnderTest } from '../../test/harness.ts';
import { oauthIn, proofKey } from '../../test/oauth-client.ts';

const identity = await identityUnderTest();
afterAll(identity.close);
const { someUser, someApp, codeFor, exchange, refresh, isGood, tokensFor } = oauthIn(identity);
const ada = await someUser();
const app = await someApp();
const invalidGrant = { status: 400, body: { error: 'invalid_grant' } };

describe('exchanging a code', () => {
  it('issues tokens for 90 days that act as the user, in exactly six fields', async () => {
    const before = Date.now();
    const { status, headers, body } = await exchange(app, await codeFor(ada, app, { scope: 'read' }));
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'no-store',
      pragma: 'no-cache',
    });
    expect(body).toEqual({
      access_token: expect.stringMatching(/^crm_at_\w{49}$/),
      refresh_token: expect.stringMatching(/^crm_rt_\w{49}$/),
      expires: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      expires_in: 7_776_000,
      scope: 'read',
      token_type: 'Bearer',
    });
    expect(Math.abs(Date.parse(String(body.expires)) - before - 7_776_000_000)).toBeLessThan(60_000);
    const actor = await identity.asSystem.actors.resolve({ token: String(body.access_token) });
    expect(actor).toMatchObject({ id: ada.id, scopes: ['read'] });
  });

  it.each([
    [undefined, 'write'],
    ['write read', 'write read'],
    ['read', 'read'],
    // As shipped clients send them.
    ["['write','read']", 'write read'],
    ['["write", "read"]', 'write read'],
    ['write,read', 'write read'],
    ['write, read', 'write read'],
  ])('with the scope %s grants %s', async (scope, granted) => {
    const code = await codeFor(ada, app, scope === undefined ? {} : { scope });
    expect(await exchange(app, code)).toMatchObject({ status: 200, body: { scope: granted } });
  });

  it('succeeds once, however many try at once, and then everything issued for it is revoked', async () => {
    const code = await codeFor(ada, app);
    const answers = await Promise.all(Array.from({ length: 20 }, () => exchange(app, code)));
    const [won, ...others] = answers.toSorted((a, b) => a.status - b.status);
    expect(won?.status).toBe(200);
    for (const answer of others) expect(answer).toMatchObject(invalidGrant);
    expect(await isGood(String(won?.body.access_token))).toBe(false);
    expect(await refresh(app, String(won?.body.refresh_token))).toMatchObject(invalidGrant);
    const said = (await identity.published()).filter(({ type }) => type.endsWith('token-family.revoked'));
    expect(said.map(({ data }) => data)).toEqual([
      expect.objectContaining({ user_id: ada.id, application_id: app.id, cause: 'code used twice' }),
    ]);
  });

  it('a second time also revokes tokens that were refreshed since', async () => {
    const code = await codeFor(ada, app);
    const first = await exchange(app, code);
    const second = await refresh(app, String(first.body.refresh_token));
    expect(await isGood(String(second.body.access_token))).toBe(true);
    expect(await exchange(app, code)).toMatchObject(invalidGrant);
    expect(await isGood(String(first.body.access_token))).toBe(false);
    expect(await isGood(String(second.body.access_token))).toBe(false);
    expect(await refresh(app, String(second.body.refresh_token))).toMatchObject(invalidGrant);
  });

  it('with the credentials of another application is refused and leaves the code valid', async () => {
    const other = await someApp();
    const code = await codeFor(ada, app);
    expect(await exchange(other, code, { redirect_uri: app.redirect_uri })).toMatchObject(invalidGrant);
    expect(await exchange(app, code)).toMatchObject({ status: 200 });
    expect(await exchange(other, code)).toMatchObject(invalidGrant);
    expect(await exchange(app, 'crm_ac_none')).toMatchObject(invalidGrant);
  });

  it('requires exactly the redirect URI that the code was requested with', async () => {
    const code = await codeFor(ada, app);
    for (const redirect_uri of ['', `${app.redirect_uri}/`, 'https://client.example.com/']) {
      expect(await exchange(app, code, { redirect_uri })).toMatchObject(invalidGrant);
    }
    const local = await someApp({ redirect_uris: ['http://127.0.0.1/back'] });
    const { asked, code_verifier } = proofKey();
    const redirect_uri = 'http://127.0.0.1:51004/back';
    const localCode = await codeFor(ada, local, { ...asked, redirect_uri });
    expect(await exchange(local, localCode, { code_verifier })).toMatchObject(invalidGrant);
    expect(await exchange(local, localCode, { code_verifier, redirect_uri })).toMatchObject({ status: 200 });
  });

  it('is refused after a minute by the clock of the database', async () => {
    const code = await codeFor(ada, app);
    await identity.rows("update authorization_codes set expires_at = expires_at - interval '59 s'");
    const [row] = await identity.rows(
      'select expires_at > now() as good from authorization_codes order by id desc limit 1',
    );
    expect(row).toEqual({ good: true });
    await identity.rows("update authorization_codes set expires_at = expires_at - interval '1 s'");
    expect(await exchange(app, code)).toMatchObject(invalidGrant);
  });

  it('stores and publishes no codes, tokens or secrets', async () => {
    const code = await codeFor(ada, app);
    const { body } = await exchange(app, code);
    const next = await refresh(app, String(body.refresh_token));
    const tables = [
      'authorization_codes',
      'access_tokens',
      'refresh_tokens',
      'application_secrets',
      'outbox',
    ];
    const all = await Promise.all(tables.map((table) => identity.rows(`select * from ${table}`)));
    const secrets = [
      code,
      app.client_secret,
      ...[body, next.body].flatMap((b) => [b.access_token, b.refresh_token]),
    ];
    expect(JSON.stringify(all)).not.toMatch(new RegExp(secrets.join('|')));
    expect(JSON.stringify(all)).not.toMatch(/crm_(at|rt|ac|cs)_/);
  });
});

describe('a code challenge', () => {
  it('requires its verifier when the code is exchanged', async () => {
    const { code_verifier, asked } = proofKey();
    const code = await codeFor(ada, app, asked);
    expect(await exchange(app, code)).toMatchObject(invalidGrant);
    for (const wrong of [
      proofKey().code_verifier,
      asked.code_challenge,
      code_verifier.slice(1),
      'é'.repeat(43),
    ]) {
      expect(await exchange(app, code, { code_verifier: wrong })).toMatchObject(invalidGrant);
    }
    expect(await exchange(app, code, { code_verifier })).toMatchObject({ status: 200 });
  });

  it('that is missing makes any verifier invalid, because an attacker could have removed the challenge', async () => {
    const code = await codeFor(ada, app);
    const { code_verifier } = proofKey();
    expect(await exchange(app, code, { code_verifier })).toMatchObject(invalidGrant);
    expect(await exchange(app, code)).toMatchObject({ status: 200 });
  });

  it('replaces the secret of a public application', async () => {
    const onDevice = await someApp({ is_public: true });
    expect(onDevice.client_secret).toBe('');
    const { code_verifier, asked } = proofKey();
    const code = await codeFor(ada, onDevice, asked);
    expect(await exchange(onDevice, code, { code_verifier, client_secret: 'guess' })).toMatchObject({
      status: 401,
    });
    const { status, body } = await exchange(onDevice, code, { code_verifier });
    expect(status).toBe(200);
    expect(await refresh(onDevice, String(body.refresh_token))).toMatchObject({ status: 200 });
  });
});

describe('everything issued for an approval', () => {
  it('is refused at once while the application is disabled, and for good when it is removed', async () => {
    const { applications } = identity.asSystem;
    const leaving = await someApp();
    const tokens = await tokensFor(ada, leaving);
    await applications.change({ id: leaving.id, is_disabled: true });
    expect(await isGood(tokens.access_token)).toBe(false);
    expect(await refresh(leaving, tokens.refresh_token)).toMatchObject({ status: 401 });
    await applications.change({ id: leaving.id, is_disabled: false });
    expect(await isGood(tokens.access_token)).toBe(true);
    await applications.remove({ id: leaving.id });
    expect(await isGood(tokens.access_token)).toBe(false);
    expect(await refresh(leaving, tokens.refresh_token)).toMatchObject({ status: 401 });
  });

  it.each<[string, (user: number) => Promise<unknown>]>([
    ['a disabled account', (user) => identity.asSystem.users.disable({ user })],
    [
      'an account that was disabled and enabled again',
      async (user) => {
        await identity.asSystem.users.disable({ user });
        await identity.asSystem.users.enable({ user });
      },
    ],
    [
      'an account with a new password',
      (user) => identity.asSystem.users.changePassword({ user, password: 'quite another one' }),
    ],
  ])('does not work for %s', async (_account, change) => {
    const ben = await someUser();
    const tokens = await tokensFor(ben, app);
    const code = await codeFor(ben, app);
    await change(ben.id);
    expect(await isGood(tokens.access_token)).toBe(false);
    expect(await exchange(app, code)).toMatchObject(invalidGrant);
    expect(await refresh(app, tokens.refresh_token)).toMatchObject(invalidGrant);
  });
});
