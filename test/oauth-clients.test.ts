import * as oauth4webapi from 'oauth4webapi';
import * as openid from 'openid-client';
import OAuth2Strategy from 'passport-oauth2';
import { AuthorizationCode } from 'simple-oauth2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApprovingUser, approvingUser, redirectUri } from './oauth/approving-user.ts';
import { type System, startSystem } from './system.ts';

interface Pair {
  readonly access_token: string;
  readonly refresh_token: string;
}

interface App {
  readonly client_id: string;
  readonly client_secret: string;
}

interface Ground {
  readonly url: string;
  readonly app: App;
  readonly user: ApprovingUser;
}

/** The calls of a client library that an application needs, from the first redirect to the last request. */
interface Client {
  obtain(): Promise<Pair>;
  refresh(pair: Pair): Promise<Pair>;
  revoke(pair: Pair): Promise<void>;
}

async function openidClient({ url, app, user }: Ground): Promise<Client> {
  const insecure = { execute: [openid.allowInsecureRequests], algorithm: 'oauth2' as const };
  const config = await openid.discovery(new URL(url), app.client_id, app.client_secret, undefined, insecure);
  return {
    async obtain() {
      const pkceCodeVerifier = openid.randomPKCECodeVerifier();
      const expectedState = openid.randomState();
      const address = openid.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: 'read write',
        state: expectedState,
        code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
        code_challenge_method: 'S256',
      });
      const back = await user.allow(address);
      return pairOf(await openid.authorizationCodeGrant(config, back, { pkceCodeVerifier, expectedState }));
    },
    refresh: async ({ refresh_token }) => pairOf(await openid.refreshTokenGrant(config, refresh_token)),
    revoke: ({ refresh_token }) => openid.tokenRevocation(config, refresh_token),
  };
}

async function oauth4webapiClient({ url, app, user }: Ground): Promise<Client> {
  const insecure = { [oauth4webapi.allowInsecureRequests]: true };
  const issuer = new URL(url);
  const server = await oauth4webapi.processDiscoveryResponse(
    issuer,
    await oauth4webapi.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure }),
  );
  const client = { client_id: app.client_id };
  const secret = oauth4webapi.ClientSecretBasic(app.client_secret);
  return {
    async obtain() {
      const state = oauth4webapi.generateRandomState();
      const verifier = oauth4webapi.generateRandomCodeVerifier();
      const code_challenge = await oauth4webapi.calculatePKCECodeChallenge(verifier);
      const address = new URL(server.authorization_endpoint ?? '');
      address.search = authorizeQuery(app, { state, code_challenge, code_challenge_method: 'S256' });
      const back = oauth4webapi.validateAuthResponse(server, client, await user.allow(address), state);
      const request = [server, client, secret, back, redirectUri, verifier, insecure] as const;
      const response = await oauth4webapi.authorizationCodeGrantRequest(...request);
      return pairOf(await oauth4webapi.processAuthorizationCodeResponse(server, client, response));
    },
    async refresh({ refresh_token }) {
      const response = await oauth4webapi.refreshTokenGrantRequest(
        server,
        client,
        secret,
        refresh_token,
        insecure,
      );
      return pairOf(await oauth4webapi.processRefreshTokenResponse(server, client, response));
    },
    async revoke({ refresh_token }) {
      const response = await oauth4webapi.revocationRequest(server, client, secret, refresh_token, insecure);
      await oauth4webapi.processRevocationResponse(response);
    },
  };
}

const authorizeQuery = ({ client_id }: App, more: Readonly<Record<string, string>>): string =>
  new URLSearchParams({ response_type: 'code', client_id, redirect_uri: redirectUri, ...more }).toString();

async function simpleOAuth2({ url, app, user }: Ground): Promise<Client> {
  const client = new AuthorizationCode({
    client: { id: app.client_id, secret: app.client_secret },
    auth: {
      tokenHost: url,
      tokenPath: '/oauth2/token',
      authorizePath: '/oauth2/authorize',
      revokePath: '/oauth2/revoke',
    },
  });
  const tokenOf = ({ access_token, refresh_token }: Pair) =>
    client.createToken({ access_token, refresh_token });
  return {
    async obtain() {
      const back = await user.allow(client.authorizeURL({ redirect_uri: redirectUri, scope: 'write' }));
      const code = back.searchParams.get('code') ?? '';
      const issued = await client.getToken({ code, redirect_uri: redirectUri });
      expect(issued.expired()).toBe(false);
      return pairOf(issued.token);
    },
    refresh: async (pair) => pairOf((await tokenOf(pair).refresh()).token),
    revoke: (pair) => tokenOf(pair).revoke('refresh_token'),
  };
}

async function passportOAuth2(ground: Ground): Promise<Client> {
  const { url, app, user } = ground;
  const strategy = new OAuth2Strategy(
    {
      authorizationURL: `${url}/oauth2/authorize`,
      tokenURL: `${url}/oauth2/token`,
      clientID: app.client_id,
      clientSecret: app.client_secret,
      callbackURL: redirectUri,
      scope: ['read', 'write'],
    },
    (access_token: string, refresh_token: string, _profile: unknown, done: OAuth2Strategy.VerifyCallback) =>
      done(null, { access_token, refresh_token }),
  );
  return {
    async obtain() {
      const { location = '' } = await authenticate(strategy, {});
      const back = await user.allow(location);
      return (await authenticate(strategy, Object.fromEntries(back.searchParams))).user as Pair;
    },
    refresh: ({ refresh_token }) =>
      new Promise((resolve, reject) => {
        // As passport-oauth2-refresh does it, because the library has no function for it.
        const client = (strategy as unknown as { readonly _oauth2: OAuth2 })._oauth2;
        client.getOAuthAccessToken(
          refresh_token,
          { grant_type: 'refresh_token' },
          (error, access, refresh) =>
            error ? reject(error) : resolve({ access_token: access, refresh_token: refresh }),
        );
      }),
    revoke: (pair) => postJson(ground, '/oauth2/revoke', { token: pair.refresh_token }),
  };
}

/** Calls the strategy as passport does; the strategy responds by one of these callbacks. */
function authenticate(strategy: OAuth2Strategy, query: Readonly<Record<string, string>>) {
  return new Promise<{ readonly location?: string; readonly user?: unknown }>((resolve, reject) => {
    const acting = Object.assign(Object.create(strategy), {
      redirect: (location: string) => resolve({ location }),
      success: (found: unknown) => resolve({ user: found }),
      fail: reject,
      error: reject,
    });
    acting.authenticate({ query }, {});
  });
}

interface OAuth2 {
  getOAuthAccessToken(
    code: string,
    parameters: object,
    callback: (error: unknown, accessToken: string, refreshToken: string) => void,
  ): void;
}

/** The requests of the API reference, in JSON. */
async function interfaceExample(ground: Ground): Promise<Client> {
  const { url, app, user } = ground;
  return {
    async obtain() {
      const back = await user.allow(`${url}/oauth2/authorize?${authorizeQuery(app, { scope: 'write' })}`);
      const code = back.searchParams.get('code') ?? '';
      const grant = { grant_type: 'authorization_code', code, redirect_uri: redirectUri };
      // With the two slashes that shipped clients send.
      return postJson(ground, '//oauth2/token', grant);
    },
    refresh: ({ refresh_token }) =>
      postJson(ground, '/oauth2/token', {
        grant_type: 'refresh_token',
        refresh_token,
        redirect_uri: redirectUri,
      }),
    revoke: (pair) => postJson(ground, '/oauth2/revoke', { token: pair.refresh_token }),
  };
}

async function postJson<Answer>({ url, app }: Ground, path: string, body: object): Promise<Answer> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...body, client_id: app.client_id, client_secret: app.client_secret }),
  });
  expect(response.status).toBe(200);
  const text = await response.text();
  return (text === '' ? undefined : JSON.parse(text)) as Answer;
}

function pairOf({ access_token, refresh_token }: Readonly<Record<string, unknown>>): Pair {
  return { access_token: String(access_token), refresh_token: String(refresh_token) };
}

describe('an application that uses', () => {
  let system: System;
  beforeAll(async () => {
    system = await startSystem('together');
  });
  afterAll(() => system.stop());

  it.each([
    ['openid-client', openidClient],
    ['oauth4webapi', oauth4webapiClient],
    ['simple-oauth2', simpleOAuth2],
    ['passport-oauth2', passportOAuth2],
    ['the example of the API reference', interfaceExample],
  ])(
    '%s gets tokens, calls the API, refreshes the tokens, and is rejected after revoking them',
    async (_, library) => {
      const user = await approvingUser(system);
      const owner = await system.person();
      const made = await system.operator.applications.create({
        name: 'Planner',
        owner: owner.id,
        redirect_uris: [redirectUri],
      });
      const app = { client_id: made.client_id, client_secret: made.client_secret ?? '' };
      const client = await library({ url: system.url, app, user });
      const me = ({ access_token }: Pair) => system.as(access_token).get('/me');

      const first = await client.obtain();
      expect(await me(first)).toMatchObject({ status: 200, body: { id: user.id, email: user.email } });
      const second = await client.refresh(first);
      expect(second).not.toEqual(first);
      expect(await me(second)).toMatchObject({ status: 200, body: { id: user.id } });
      await client.revoke(second);
      for (const pair of [first, second]) {
        expect(await me(pair)).toMatchObject({ status: 401, body: { message: 'Invalid access token' } });
      }
      await expect(client.refresh(second)).rejects.toThrow();
    },
  );
});
