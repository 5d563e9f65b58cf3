import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApprovingUser, approvingUser, redirectUri } from './oauth/approving-user.ts';
import { type Shape, type System, shapes, startSystem } from './system.ts';

describe.each(shapes)('OAuth, services %s', (shape: Shape) => {
  let system: System;
  let ada: ApprovingUser;
  let app: { readonly id: number; readonly client_id: string; readonly client_secret: string };

  beforeAll(async () => {
    system = await startSystem(shape);
    ada = await approvingUser(system);
    app = await someApp();
  });
  afterAll(() => system.stop());

  async function someApp() {
    const { id: owner } = await system.person();
    const draft = { name: 'Planner', owner, redirect_uris: [redirectUri] };
    const made = await system.operator.applications.create(draft);
    return { ...made, client_secret: made.client_secret ?? '' };
  }

  async function codeFor(user = ada, to = app): Promise<string> {
    const query = {
      response_type: 'code',
      client_id: to.client_id,
      redirect_uri: redirectUri,
      scope: 'write',
    };
    const back = await user.allow(`${system.url}/oauth2/authorize?${new URLSearchParams(query)}`);
    expect(back.searchParams.get('iss')).toBe(system.url);
    return back.searchParams.get('code') ?? '';
  }

  async function post(path: string, fields: object, headers: Readonly<Record<string, string>> = {}) {
    const { client_id, client_secret } = app;
    const response = await fetch(system.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ client_id, client_secret, ...fields }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? {} : JSON.parse(text) };
  }

  const exchange = (code: string) =>
    post('/oauth2/token', { grant_type: 'authorization_code', code, redirect_uri: redirectUri });
  const refresh = (refresh_token: string) =>
    post('/oauth2/token', { grant_type: 'refresh_token', refresh_token });
  const isGood = async (token: string) => {
    const answers = await Promise.all(['/me', '/contacts'].map((path) => system.as(token).get(path)));
    return answers.map(({ status }) => status);
  };

  it('leads from an error to its entry in the guide', async () => {
    const { body } = await exchange('crm_ac_unknown');
    expect(body.error).toBe('invalid_grant');
    expect(await (await fetch(body.error_uri)).text()).toContain(
      `<h3 id="${new URL(body.error_uri).hash.slice(1)}">`,
    );
  });

  it('responds to the token request of the API reference with 200 and six fields', async () => {
    const { status, headers, body } = await exchange(await codeFor());
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('pragma')).toBe('no-cache');
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(headers.has('access-control-allow-origin')).toBe(false);
    expect(Object.keys(body).sort()).toEqual([
      'access_token',
      'expires',
      'expires_in',
      'refresh_token',
      'scope',
      'token_type',
    ]);
    expect(await isGood(body.access_token)).toEqual([200, 200]);
  });

  it('issues tokens for a code once, even for concurrent requests, and revokes them if the code is reused', async () => {
    const code = await codeFor();
    const answers = await Promise.all(Array.from({ length: 20 }, () => exchange(code)));
    const won = answers.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    const others = answers.filter(({ status }) => status !== 200);
    expect(new Set(others.map(({ status, body }) => `${status} ${body.error}`))).toEqual(
      new Set(['400 invalid_grant']),
    );
    expect(await isGood(won[0]?.body.access_token)).toEqual([401, 401]);
    expect(await refresh(won[0]?.body.refresh_token)).toMatchObject({ status: 400 });
  });

  it('gives three concurrent refreshes the same pair, and nothing to others', async () => {
    const { body } = await exchange(await codeFor());
    const all = await Promise.all(Array.from({ length: 20 }, () => refresh(body.refresh_token)));
    const answers = all.filter(({ status }) => status === 200);
    expect(answers).toHaveLength(3);
    const tokens = new Set(answers.map(({ body }) => `${body.access_token} ${body.refresh_token}`));
    expect(tokens.size).toBe(1);
    expect(await isGood(answers[0]?.body.access_token)).toEqual([200, 200]);
    expect(await refresh(answers[0]?.body.refresh_token)).toMatchObject({ status: 200 });
  });

  it.each([
    [
      'is revoked',
      ({ refresh_token }: { refresh_token: string }) => post('/oauth2/revoke', { token: refresh_token }),
    ],
    ['has its consent withdrawn', () => ada.withdraw(app.id)],
  ])('refuses a token everywhere at the next request after it %s', async (_, end) => {
    const { body } = await exchange(await codeFor());
    expect(await isGood(body.access_token)).toEqual([200, 200]);
    await end(body);
    expect(await isGood(body.access_token)).toEqual([401, 401]);
    expect(await refresh(body.refresh_token)).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
  });

  it('rejects the tokens of a disabled or removed application', async () => {
    const leaving = await someApp();
    const code = await codeFor(ada, leaving);
    const { client_id, client_secret } = leaving;
    const grant = { grant_type: 'authorization_code', code, redirect_uri: redirectUri };
    const { body } = await post('/oauth2/token', { ...grant, client_id, client_secret });
    expect(await isGood(body.access_token)).toEqual([200, 200]);
    await system.operator.applications.change({ id: leaving.id, is_disabled: true });
    expect(await isGood(body.access_token)).toEqual([401, 401]);
    await system.operator.applications.change({ id: leaving.id, is_disabled: false });
    expect(await isGood(body.access_token)).toEqual([200, 200]);
    await system.operator.applications.remove({ id: leaving.id });
    expect(await isGood(body.access_token)).toEqual([401, 401]);
  });

  it('rejects invalid token requests with the errors of RFC 6749', async () => {
    const text = await post('/oauth2/token', {}, { 'content-type': 'text/plain' });
    expect(text).toMatchObject({ status: 415, body: { error: 'invalid_request' } });
    const inUrl = await post('/oauth2/token?grant_type=refresh_token', {});
    expect(inUrl).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    const wrong = await post('/oauth2/token', { client_secret: 'x' });
    expect(wrong).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
    const get = await fetch(`${system.url}/oauth2/token`);
    expect(get.status).toBe(405);
  });

  it('publishes its metadata', async () => {
    const get = async (path: string) => (await fetch(system.url + path)).json();
    const server = await get('/.well-known/oauth-authorization-server');
    expect(server).toMatchObject({ issuer: system.url, token_endpoint: `${system.url}/oauth2/token` });
    const resource = await get('/.well-known/oauth-protected-resource');
    expect(resource).toMatchObject({ resource: system.url, authorization_servers: [system.url] });
  });
});
