import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { identityUnderTest, publicUrl } from '../../test/harness.ts';
import { oauthIn, proofKey } from '../../test/oauth-client.ts';
import { isRedirectUri } from '../applications/application.api.ts';
import { isRegistered } from '../applications/redirect-uri.ts';
import { readParameters } from './parameters.ts';

const identity = await identityUnderTest();
afterAll(identity.close);
const { someUser, someApp, queryOf, ask, isGood } = oauthIn(identity);
const ada = await someUser();
const app = await someApp();
const locationOf = ({ headers }: Awaited<ReturnType<typeof ask>>) => new URL(String(headers.location));

describe('an authorization request', () => {
  it.each([
    ['of an unknown application', { client_id: 'f'.repeat(32) }],
    ['of an application with an impossible id', { client_id: '\u0000' }],
    ['without an address', { redirect_uri: '' }],
    ['with a redirect URI that is not registered', { redirect_uri: 'https://client.example.com/back' }],
  ])('%s ends on a page and never redirects', async (_, wrong) => {
    const answer = await ask(ada, queryOf(app, wrong));
    expect(answer.status).toBe(400);
    expect(answer.headers).not.toHaveProperty('location');
  });

  it('ends on a page when the application or the redirect URI is repeated', async () => {
    for (const name of ['client_id', 'redirect_uri'] as const) {
      const answer = await ask(ada, `${queryOf(app)}&${name}=${encodeURIComponent(app[name])}`);
      expect(answer.status).toBe(400);
      expect(answer.headers).not.toHaveProperty('location');
    }
  });

  it('ends on a page for a disabled application', async () => {
    const disabled = await someApp();
    await identity.asSystem.applications.change({ id: disabled.id, is_disabled: true });
    expect(await ask(ada, queryOf(disabled))).toMatchObject({ status: 400 });
  });

  it.each([
    [{ response_type: '' }, 'invalid_request'],
    [{ response_type: 'id_token' }, 'unsupported_response_type'],
    [{ scope: 'contacts' }, 'invalid_scope'],
    [{ scope: 'read admin' }, 'invalid_scope'],
    [{ scope: 'write,delete' }, 'invalid_scope'],
    [{ scope: "['all']" }, 'invalid_scope'],
    [{ scope: 'read;write' }, 'invalid_scope'],
    [{ scope: '[]' }, 'invalid_scope'],
    [{ code_challenge: 'x'.repeat(43) }, 'invalid_request'],
    [{ code_challenge: 'x'.repeat(43), code_challenge_method: 'plain' }, 'invalid_request'],
    [{ code_challenge: 'short', code_challenge_method: 'S256' }, 'invalid_request'],
    [{ code_challenge_method: 'S256' }, 'invalid_request'],
  ])('with %j tells the application %s', async (wrong, error) => {
    const answer = await ask(ada, queryOf(app, { ...wrong, state: 's' }));
    expect(answer.status).toBe(303);
    const location = locationOf(answer);
    expect(location.href.startsWith(`${app.redirect_uri}&`)).toBe(true);
    expect(Object.fromEntries(location.searchParams)).toEqual({
      from: 'crm',
      error,
      error_description: expect.stringMatching(/^[^"\\]+$/),
      error_uri: expect.stringMatching(/^https:\/\/crm\.example\.com\/guides\/errors#\w+$/),
      state: 's',
      iss: publicUrl,
    });
  });

  it('with a repeated parameter is reported to the application', async () => {
    const { searchParams } = locationOf(await ask(ada, `${queryOf(app)}&scope=read&scope=write`));
    expect(searchParams.get('error')).toBe('invalid_request');
    expect(searchParams.has('state')).toBe(false);
  });

  it('returns the state, whatever it contains, and only if one was sent', async () => {
    const state = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
      .filter((text) => text.isWellFormed());
    await fc.assert(
      fc.asyncProperty(state, async (text) => {
        const denied = locationOf(await ask(ada, queryOf(app, { state: text, scope: 'nothing' })));
        expect(denied.searchParams.get('state')).toBe(text);
      }),
      { numRuns: 40 },
    );
    const { searchParams } = locationOf(await ask(ada, queryOf(app)));
    expect([...searchParams.keys()]).toEqual(['from', 'code', 'iss']);
  });

  it('is denied with access_denied, and nothing is issued', async () => {
    const other = await someApp();
    const { searchParams } = locationOf(await ask(ada, queryOf(other, { state: 'x' }), 'deny'));
    expect(Object.fromEntries(searchParams)).toMatchObject({
      error: 'access_denied',
      state: 'x',
      iss: publicUrl,
    });
    expect(await identity.rows('select from consents where application_id = $1', [other.id])).toEqual([]);
    expect(await identity.rows('select from token_families where application_id = $1', [other.id])).toEqual(
      [],
    );
  });

  it('can have unknown parameters, which are ignored', async () => {
    const { searchParams } = locationOf(await ask(ada, `${queryOf(app)}&resource=a&resource=b&nonce=1`));
    expect(searchParams.has('code')).toBe(true);
  });

  it('requires PKCE for public applications, but not for confidential ones under development on localhost', async () => {
    for (const redirect of ['http://127.0.0.1/back', 'http://localhost:4999/cb']) {
      const local = await someApp({ redirect_uris: [redirect] });
      expect(locationOf(await ask(ada, queryOf(local))).searchParams.has('code')).toBe(true);
    }
    for (const redirect_uris of [['https://app.example/back'], ['http://127.0.0.1/back']]) {
      const asking = await someApp({ is_public: true, redirect_uris });
      const { searchParams } = locationOf(await ask(ada, queryOf(asking)));
      expect(searchParams.get('error')).toBe('invalid_request');
      const proven = locationOf(await ask(ada, queryOf(asking, proofKey().asked)));
      expect(proven.searchParams.has('code')).toBe(true);
    }
  });
});

describe('a second authorization request', () => {
  it('of a confidential application needs consent only for further scopes', async () => {
    const ben = await someUser();
    const { consent } = identity.asSystem;
    const asking = await someApp();
    const shown = async (scope: string) =>
      (await ben.browser.get(consent.show, queryOf(asking, { scope }))).status;
    expect(await shown('read')).toBe(200);
    await ask(ben, queryOf(asking, { scope: 'read' }));
    expect(await shown('read')).toBe(303);
    expect(await shown('write')).toBe(200);
    await ask(ben, queryOf(asking, { scope: 'write' }));
    expect(await shown('read')).toBe(303);
    expect(await shown('read write')).toBe(303);
  });

  it('always needs consent for a public application and for the implicit grant', async () => {
    const ben = await someUser();
    const { consent } = identity.asSystem;
    const onDevice = await someApp({ is_public: true });
    const inPage = await someApp({ allows_implicit: true });
    for (const query of [queryOf(onDevice, proofKey().asked), queryOf(inPage, { response_type: 'token' })]) {
      await ask(ben, query);
      expect((await ben.browser.get(consent.show, query)).status).toBe(200);
    }
  });
});

describe('the implicit grant', () => {
  it('redirects with a token in the fragment that is valid for 30 days', async () => {
    const inPage = await someApp({ allows_implicit: true });
    const answer = await ask(ada, queryOf(inPage, { response_type: 'token', state: 'a b', scope: 'read' }));
    const { search, hash } = locationOf(answer);
    expect(search).toBe('?from=crm');
    const {
      access_token = '',
      expires = '',
      ...rest
    } = Object.fromEntries(new URLSearchParams(hash.slice(1)));
    expect(rest).toEqual({
      expires_in: '2592000',
      scope: 'read',
      token_type: 'Bearer',
      state: 'a b',
      iss: publicUrl,
    });
    expect(Math.abs(Date.parse(expires) - Date.now() - 2_592_000_000)).toBeLessThan(60_000);
    expect(await isGood(access_token)).toBe(true);
  });

  it('is refused for an application that does not allow it', async () => {
    const { hash, search } = locationOf(await ask(ada, queryOf(app, { response_type: 'token' })));
    expect(search).toBe('?from=crm');
    expect(new URLSearchParams(hash.slice(1)).get('error')).toBe('unauthorized_client');
  });
});

describe('the redirect URI of an application', () => {
  const registered = [
    'https://app.example.com/cb',
    'http://127.0.0.1/cb',
    'http://[::1]:80/cb',
    'http://localhost/cb',
  ];

  it.each([
    'https://app.example.com/cb',
    'http://127.0.0.1/cb',
    'http://127.0.0.1:51004/cb',
    'http://[::1]:51004/cb',
    'http://localhost/cb',
  ])('matches %s', (uri) => {
    expect(isRegistered(uri, registered)).toBe(true);
  });

  it.each([
    'https://app.example.com/cb/',
    'https://app.example.com/cb?x=1',
    'https://app.example.com/cb#',
    'https://app.example.com/CB',
    'https://APP.example.com/cb',
    'https://app.example.com./cb',
    'https://app.example.com:443/cb',
    'https://app.example.com/%63b',
    'https://app.example.com/a/../cb',
    'https://app.example.com//cb',
    'https://app.example.com\\@evil.example/cb',
    'https://app.example.com@evil.example/cb',
    'https://user@app.example.com/cb',
    'https://evil.example/?https://app.example.com/cb',
    'https://app.example.com.evil.example/cb',
    'http://app.example.com/cb',
    '//app.example.com/cb',
    'app.example.com/cb',
    'https:app.example.com/cb',
    ' https://app.example.com/cb',
    'https://app.example.com/cb\n',
    'https://аpp.example.com/cb',
    'http://localhost:51004/cb',
    'https://127.0.0.1/cb',
    'http://127.0.0.1:51004/cb/',
    'http://127.0.0.1:51004/other',
    'http://127.0.0.1:51004@evil.example/cb',
    'http://127.0.0.1:99999/cb',
    'http://127.0.0.1.evil.example/cb',
    'http://127.0.0.2/cb',
    'http://127.1/cb',
    'http://2130706433/cb',
    'http://[::1]:51004.evil.example/cb',
    'javascript:alert(1)//https://app.example.com/cb',
    'data:text/html,https://app.example.com/cb',
    '',
  ])('does not match %j', (uri) => {
    expect(isRegistered(uri, registered)).toBe(false);
  });

  it.each([
    'http://app.example.com/cb',
    'https://app.example.com/cb#part',
    'https://user:secret@app.example.com/cb',
    'https://*.example.com/cb',
    'https://app.example.com/\\cb',
    'javascript:alert(1)',
    'data:text/html,x',
    'myapp://cb',
    'https://',
    '/cb',
    `https://app.example.com/${'x'.repeat(2000)}`,
  ])('cannot be %s', async (uri) => {
    expect(isRedirectUri(uri)).toBe(false);
    await expect(someApp({ redirect_uris: [uri] })).rejects.toMatchObject({ name: 'BadRequest' });
  });
});

describe('parameters', () => {
  it('are read as they were written, except repeated and malformed ones', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1 }).filter((value) => value.isWellFormed());
    fc.assert(
      fc.property(fc.dictionary(text, text), (given) => {
        const { values, faulty } = readParameters(new URLSearchParams(given).toString());
        expect({ ...values }).toEqual({ ...given });
        expect(faulty.size).toBe(0);
      }),
    );
    expect(readParameters('a=1&a=2&b=%FF&c=&d&e=x+y').faulty).toEqual(new Set(['a', 'b']));
    expect(readParameters('a=1&a=2&b=%FF&c=&d&e=x+y').values).toEqual({ e: 'x y' });
  });
});
