import { afterAll, expect, it } from 'vitest';
import { identityUnderTest } from '../../test/harness.ts';
import { oauthIn } from '../../test/oauth-client.ts';

const identity = await identityUnderTest();
afterAll(identity.close);
const { someUser } = oauthIn(identity);
const { security } = identity.asSystem;

it('the security page lists every valid token, and says when it lists only some browsers', async () => {
  const ada = await someUser();
  await identity.rows(
    `insert into access_tokens (token_hash, user_id, name, scope, created_at, expires_at)
     select n, $1, 'token ' || n, 'write', now(), now() + interval '1 day' from generate_series(1, 250) n`,
    [ada.id],
  );
  const page = async () => (await ada.browser.get(security.show)).body;
  expect((await page()).match(/security\/tokens\/\d+\/revoke/g)).toHaveLength(250);
  expect(await page()).not.toContain('browsers used last');
  await identity.rows(
    `insert into known_devices (secret_hash, user_id, address, created_at, last_used_at)
     select n, $1, '192.0.2.1', now(), now() from generate_series(1, 120) n`,
    [ada.id],
  );
  expect(await page()).toContain('These are the 100 browsers used last.');
});
