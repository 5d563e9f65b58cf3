import { afterAll, describe, expect, it } from 'vitest';
import { identityUnderTest } from '../../test/harness.ts';
import { oauthIn } from '../../test/oauth-client.ts';

const identity = await identityUnderTest();
afterAll(identity.close);
const { oauth } = identity.asSystem;
const { send, someApp, someUser, tokensFor } = oauthIn(identity);
const app = await someApp();
const { client_id, client_secret } = app;

describe.each(['token', 'revoke', 'introspect'] as const)('/oauth2/%s', (endpoint) => {
  it('refuses JSON that is sent as a form, and says which header it needs', async () => {
    const { access_token: token, refresh_token } = await tokensFor(await someUser(), app);
    const body = JSON.stringify({
      grant_type: 'refresh_token',
      refresh_token,
      token,
      client_id,
      client_secret,
    });
    for (const sent of [body, ` \n[${body}]`, encodeURIComponent(body)])
      expect(await send(oauth[endpoint], {}, { body: sent })).toMatchObject({
        status: 400,
        body: {
          error: 'invalid_request',
          error_description:
            'The body looks like JSON. Send it with the header Content-Type: application/json.',
        },
      });
    const headers = { 'content-type': 'application/json' };
    expect(await send(oauth[endpoint], {}, { body, headers })).toMatchObject({ status: 200 });
  });
});

it.each([
  ['token', 'grant_type'],
  ['revoke', 'token'],
  ['introspect', 'token'],
] as const)(
  '/oauth2/%s without parameters and credentials says that %s is missing',
  async (endpoint, name) => {
    expect(await send(oauth[endpoint], {})).toMatchObject({
      status: 400,
      body: { error: 'invalid_request', error_description: `${name} is missing` },
    });
  },
);
