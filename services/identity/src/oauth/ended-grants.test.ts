import { afterAll, describe, expect, it } from 'vitest';
import { identityUnderTest } from '../../test/harness.ts';
import { oauthIn } from '../../test/oauth-client.ts';
import { forgetCodes, forgetFamilies, forgetSalts, forgetSecrets } from './ended-grants.queries.ts';

const identity = await identityUnderTest();
afterAll(identity.close);
const { someUser, someApp, codeFor, exchange, refresh, isGood } = oauthIn(identity);
const ada = await someUser();
const app = await someApp();

async function forget() {
  for (const one of [forgetSalts, forgetSecrets, forgetCodes, forgetFamilies]) await one(identity.rows);
}
const count = async (table: string) =>
  Number((await identity.rows(`select count(*) as n from ${table}`))[0]?.n);

describe('deleting expired grants', () => {
  it('does not affect applications with a valid token, or codes that are used again within a day', async () => {
    const code = await codeFor(ada, app);
    const { body } = await exchange(app, code);
    await identity.rows("update authorization_codes set expires_at = expires_at - interval '23 hours'");
    await forget();
    expect(await isGood(String(body.access_token))).toBe(true);
    const next = await refresh(app, String(body.refresh_token));
    await forget();
    const { access_token, refresh_token } = next.body;
    const again = await refresh(app, String(body.refresh_token));
    expect(again).toMatchObject({ status: 200, body: { access_token, refresh_token } });
    expect(await exchange(app, code)).toMatchObject({ status: 400 });
    expect(await isGood(String(access_token))).toBe(false);
  });

  it('deletes codes after a day, families without tokens, and salts after the grace period', async () => {
    await codeFor(ada, app);
    const { body } = await exchange(app, await codeFor(ada, app));
    await refresh(app, String(body.refresh_token));
    await identity.rows("update authorization_codes set expires_at = expires_at - interval '2 days'");
    await identity.rows("update refresh_tokens set used_at = used_at - interval '11 minutes'");
    const families = await count('token_families');
    await forget();
    expect(await count('authorization_codes')).toBe(0);
    expect(await count('token_families')).toBe(families - 1);
    expect(await count('refresh_tokens where successor_salt is not null')).toBe(0);
  });

  it('deletes families once their last access token has expired, and not before', async () => {
    const { body } = await exchange(app, await codeFor(ada, app));
    await identity.rows("update token_families set ends_at = now() - interval '90 days'");
    await forget();
    expect(await isGood(String(body.access_token))).toBe(true);
    await identity.rows("update token_families set ends_at = now() - interval '101 days'");
    await forget();
    expect(await count('token_families')).toBe(0);
    expect(await count('refresh_tokens')).toBe(0);
  });
});
