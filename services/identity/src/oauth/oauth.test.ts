import { afterAll, describe, expect, it } from 'vitest';
import { identityUnderTest, publicUrl } from '../../test/harness.ts';
import { oauthIn, proofKey } from '../../test/oauth-client.ts';
import { identityApi } from '../api.ts';

const identity = await identityUnderTest();
afterAll(identity.close);
const { oauth, tokens: personal } = identity.asSystem;
const client = oauthIn(identity);
const { someUser, someApp, tokensFor, codeFor, send, exchange, refresh, isGood, revoke, introspect } = client;
const ada = await someUser();
const app = await someApp();

const basic = (id: string, secret: string) => ({
  headers: { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` },
});
const json = { headers: { 'content-type': 'application/json; charset=utf-8' } } as const;

describe('the token endpoint', () => {
  const grantOf = (code: string) => ({
    grant_type: 'authorization_code',
    code,
    redirect_uri: app.redirect_uri,
  });

  it('accepts JSON as well as a form', async () => {
    const { client_id, client_secret } = app;
    const body = JSON.stringify({ ...grantOf(await codeFor(ada, app)), client_id, client_secret });
    const { status, body: issued } = await send(oauth.token, {}, { ...json, body });
    expect(status).toBe(200);
    const more = {
      grant_type: 'refresh_token',
      refresh_token: issued.refresh_token,
      client_id,
      client_secret,
    };
    expect(await send(oauth.token, {}, { ...json, body: JSON.stringify(more) })).toMatchObject({
      status: 200,
    });
  });

  it('accepts form-encoded credentials in the header, and sends a challenge only there', async () => {
    const { client_id, client_secret } = app;
    const encoded = client_secret.replaceAll('_', '%5F');
    const code = await codeFor(ada, app);
    expect(await send(oauth.token, grantOf(code), basic(client_id, encoded))).toMatchObject({ status: 200 });
    const wrong = await send(oauth.token, grantOf('x'), basic(client_id, 'wrong'));
    expect(wrong).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
    expect(wrong.headers['www-authenticate']).toMatch(/^Basic /);
    const inBody = await send(oauth.token, { ...grantOf('x'), client_id, client_secret: 'wrong' });
    expect(inBody).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
    expect(inBody.headers).not.toHaveProperty('www-authenticate');
  });

  it('gives the same response to an unknown client, a disabled one, a wrong secret and none', async () => {
    const disabled = await someApp();
    await identity.asSystem.applications.change({ id: disabled.id, is_disabled: true });
    const answers = await Promise.all([
      send(oauth.token, { ...grantOf('x'), client_id: 'f'.repeat(32), client_secret: 'x' }),
      send(oauth.token, { ...grantOf('x'), client_id: 'a\u0000b', client_secret: 'x' }),
      send(oauth.token, { ...grantOf('x'), ...disabled, id: '' }),
      send(oauth.token, { ...grantOf('x'), client_id: app.client_id, client_secret: 'x' }),
      send(oauth.token, { ...grantOf('x'), client_id: app.client_id }),
      send(oauth.token, grantOf('x')),
    ]);
    expect(new Set(answers.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size).toBe(1);
    expect(answers[0]).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
  });

  it.each([
    [
      'credentials in header and body',
      400,
      'invalid_request',
      { client_secret: 'x' },
      basic(app.client_id, app.client_secret),
    ],
    [
      'another client_id in the body',
      400,
      'invalid_request',
      { client_id: 'x' },
      basic(app.client_id, app.client_secret),
    ],
    ['a Bearer header', 401, 'invalid_client', {}, { headers: { authorization: 'Bearer x' } }],
    ['parameters in the URL', 400, 'invalid_request', {}, { query: 'grant_type=authorization_code' }],
    ['a parameter sent twice', 400, 'invalid_request', {}, { body: 'grant_type=a&grant_type=a' }],
    ['a body that is not UTF-8', 400, 'invalid_request', {}, { body: 'grant_type=%FF' }],
    ['no JSON', 400, 'invalid_request', {}, { ...json, body: '{' }],
    ['a JSON list', 400, 'invalid_request', {}, { ...json, body: '[]' }],
    ['a JSON number', 400, 'invalid_request', {}, { ...json, body: '{"code":1}' }],
    ['text', 415, 'invalid_request', {}, { headers: { 'content-type': 'text/plain' } }],
    [
      'multipart',
      415,
      'invalid_request',
      {},
      { headers: { 'content-type': 'multipart/form-data; boundary=x' } },
    ],
  ] as const)('refuses %s with %i %s', async (_, status, error, fields, request) => {
    const answer = await send(oauth.token, { ...grantOf('x'), ...fields }, request);
    expect(answer).toMatchObject({
      status,
      body: {
        error,
        error_description: expect.stringMatching(/^[ -!#-[\]-~]+$/),
        error_uri: `${publicUrl}/guides/errors#${error}`,
      },
    });
    expect(Object.keys(answer.body).sort()).toEqual(['error', 'error_description', 'error_uri']);
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', pragma: 'no-cache' });
  });

  it.each([
    ['password', 'unsupported_grant_type'],
    ['client_credentials', 'unsupported_grant_type'],
    ['implicit', 'unsupported_grant_type'],
    ['__proto__', 'unsupported_grant_type'],
    ['', 'invalid_request'],
    ['authorization_code', 'invalid_request'],
    ['refresh_token', 'invalid_request'],
  ])('refuses the grant type %j without further parameters with %s', async (grant_type, error) => {
    const { client_id, client_secret } = app;
    const answer = await send(oauth.token, { grant_type, client_id, client_secret });
    expect(answer).toMatchObject({ status: 400, body: { error } });
  });

  it('lets only pages of a public application read its responses', async () => {
    const inPage = await someApp({ is_public: true, redirect_uris: ['https://spa.example.com/cb'] });
    const from = (origin: string) => ({ headers: { origin } });
    const { code_verifier, asked } = proofKey();
    const code = await codeFor(ada, inPage, asked);
    const own = await exchange(inPage, code, { code_verifier }, from('https://spa.example.com'));
    expect(own).toMatchObject({
      status: 200,
      headers: { 'access-control-allow-origin': 'https://spa.example.com', vary: 'Origin' },
    });
    const foreign = await exchange(inPage, code, { code_verifier }, from('https://evil.example'));
    expect(foreign.headers).not.toHaveProperty('access-control-allow-origin');
    const confidential = await exchange(app, 'x', {}, from('https://client.example.com'));
    expect(confidential.headers).not.toHaveProperty('access-control-allow-origin');
  });

  it('limits wrong secrets from a network to ten, and never refuses the right one', async () => {
    const guessed = await someApp();
    const from = (address: string) => ({ address });
    const guess = (address = '203.0.113.99') =>
      exchange(guessed, 'x', { client_secret: 'guess' }, from(address));
    for (let n = 0; n < 10; n++) expect(await guess()).toMatchObject({ status: 401 });
    const refused = {
      status: 429,
      headers: { 'retry-after': '600' },
      body: { error: 'invalid_client' },
    };
    expect(await guess()).toMatchObject(refused);
    expect(await exchange(guessed, 'x', {}, from('203.0.113.99'))).toMatchObject({ status: 400 });
    expect(await guess()).toMatchObject(refused);
    const counted = 'select failures from client_failures where application_id = $1';
    expect(await identity.rows(counted, [guessed.id])).toEqual([{ failures: 10 }]);
    expect(await guess('203.0.113.98')).toMatchObject({ status: 401 });
    await identity.rows("update client_failures set since = since - interval '10 minutes'");
    for (let n = 0; n < 10; n++) expect(await guess()).toMatchObject({ status: 401 });
  });
});

describe('revoking', () => {
  it('an access token revokes only that token', async () => {
    const tokens = await tokensFor(ada, app);
    const second = await refresh(app, tokens.refresh_token);
    expect(await revoke(app, tokens.access_token)).toMatchObject({ status: 200, body: {} });
    expect(await isGood(tokens.access_token)).toBe(false);
    expect(await isGood(String(second.body.access_token))).toBe(true);
  });

  it('a refresh token revokes everything issued for the approval, and publishes it once', async () => {
    const tokens = await tokensFor(ada, app);
    const { body } = await refresh(app, tokens.refresh_token);
    const told = async () =>
      (await identity.published()).filter(({ type }) => type.endsWith('token-family.revoked')).length;
    const before = await told();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => revoke(app, String(body.refresh_token))),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await told()).toBe(before + 1);
    expect(await isGood(tokens.access_token)).toBe(false);
    expect(await isGood(String(body.access_token))).toBe(false);
    expect(await refresh(app, String(body.refresh_token))).toMatchObject({
      body: { error: 'invalid_grant' },
    });
  });

  it('an unknown token or one of another application gets the same response and changes nothing', async () => {
    const tokens = await tokensFor(ada, app);
    const other = await someApp();
    const foreign = await revoke(other, tokens.access_token);
    expect(await revoke(other, tokens.refresh_token)).toEqual(foreign);
    expect(await revoke(other, 'rubbish')).toEqual(foreign);
    expect(foreign.status).toBe(200);
    expect(await isGood(tokens.access_token)).toBe(true);
    expect(await refresh(app, tokens.refresh_token)).toMatchObject({ status: 200 });
  });

  it('treats the hint as a hint only', async () => {
    const tokens = await tokensFor(ada, app);
    const { client_id, client_secret } = app;
    const fields = { token: tokens.refresh_token, token_type_hint: 'access_token', client_id, client_secret };
    expect(await send(oauth.revoke, fields)).toMatchObject({ status: 200 });
    expect(await isGood(tokens.access_token)).toBe(false);
  });

  it('needs the credentials and a token', async () => {
    const wrong = await revoke({ ...app, client_secret: 'x' }, 'x');
    expect(wrong).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
    expect(await revoke(app, '')).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
  });
});

describe('introspection', () => {
  it('describes tokens of the application, without personal data', async () => {
    const tokens = await tokensFor(ada, app, { scope: 'read' });
    const access = await introspect(app, tokens.access_token);
    expect(access.body).toEqual({
      active: true,
      scope: 'read',
      client_id: app.client_id,
      sub: String(ada.id),
      token_type: 'Bearer',
      iat: expect.any(Number),
      exp: Number(access.body.iat) + 7_776_000,
      iss: publicUrl,
    });
    const { token_type, ...same } = access.body;
    const refreshing = await introspect(app, tokens.refresh_token);
    expect(refreshing.body).toEqual({ ...same, exp: Number(access.body.iat) + 180 * 86_400 });
  });

  it('reveals nothing about any other token except that it is not active', async () => {
    const [tokens, revoked, ended] = [
      await tokensFor(ada, app),
      await tokensFor(ada, app),
      await tokensFor(ada, app),
    ];
    await revoke(app, revoked.refresh_token);
    await refresh(app, ended.refresh_token);
    await identity.rows(
      "update access_tokens set expires_at = now() where token_hash = encode(sha256($1::bytea), 'hex')",
      [ended.access_token],
    );
    const { access_token } = await personal.create({ user: ada.id });
    const inactive = { status: 200, body: { active: false } };
    const other = await someApp();
    for (const [who, token] of [
      [other, tokens.access_token],
      [other, tokens.refresh_token],
      [app, revoked.access_token],
      [app, revoked.refresh_token],
      [app, ended.access_token],
      [app, ended.refresh_token],
      [app, access_token],
      [app, 'rubbish'],
    ] as const) {
      const { status, body } = await introspect(who, token);
      expect({ status, body }).toEqual(inactive);
    }
  });

  it('is for applications that can authenticate', async () => {
    expect(await introspect(await someApp({ is_public: true }), 'x')).toMatchObject({ status: 401 });
    expect(await introspect({ ...app, client_secret: 'x' }, 'x')).toMatchObject({ status: 401 });
  });
});

describe('the metadata documents', () => {
  it('contain the configured issuer, and only what exists', async () => {
    const server = await send(oauth.server, {});
    expect(server).toMatchObject({
      status: 200,
      headers: { 'content-type': 'application/json', 'access-control-allow-origin': '*' },
      body: {
        issuer: publicUrl,
        token_endpoint: `${publicUrl}/oauth2/token`,
        code_challenge_methods_supported: ['S256'],
        authorization_response_iss_parameter_supported: true,
        scopes_supported: ['read', 'write'],
      },
    });
    const paths = Object.entries(server.body).filter(([name]) => name.endsWith('_endpoint'));
    const routes = [identityApi.consent, identityApi.oauth].flatMap((operations) =>
      Object.values(operations).map(({ rest }) => rest?.split(' ')[1]),
    );
    expect(paths).toHaveLength(4);
    for (const [, url] of paths) expect(routes).toContain(String(url).slice(publicUrl.length));
    const resource = await send(oauth.resource, {});
    expect(resource.body).toMatchObject({ resource: publicUrl, authorization_servers: [publicUrl] });
  });
});
