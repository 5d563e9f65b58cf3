import { afterAll, describe, expect, it } from 'vitest';
import { identityUnderTest } from '../../test/harness.ts';
import { oauthIn } from '../../test/oauth-client.ts';

const identity = await identityUnderTest();
afterAll(identity.close);
const { someUser, someApp, tokensFor, queryOf, isGood } = oauthIn(identity);
const { connectedApplications, consent, tokens, users } = identity.asSystem;
const password = 'another horse battery';

const changePassword = (user: number) => users.changePassword({ user, password });
const disable = async (user: number) => {
  await users.disable({ user });
  await users.enable({ user });
};

describe.each([
  ['a new password', changePassword],
  ['disabling an account', disable],
] as const)('%s', (_, end) => {
  it('ends what the user has allowed applications, so that they have to ask again', async () => {
    const [ada, ben, app] = [await someUser(), await someUser(), await someApp()];
    for (const user of [ada, ben]) await tokensFor(user, app);
    await end(ada.id);
    await ada.browser.signIn(ada.email, password);
    await ada.browser.signIn(ada.email, 'correct horse battery');
    expect((await ada.browser.get(consent.show, queryOf(app))).status).toBe(200);
    expect((await ada.browser.get(connectedApplications.list)).body).toContain('No application can use');
    const withdrawn = (await identity.published()).filter(
      ({ type, data }) => type === 'crm.identity.consent.withdrawn' && data.application_id === app.id,
    );
    expect(withdrawn.map(({ data }) => data)).toEqual([
      { consent_id: expect.any(Number), user_id: ada.id, application_id: app.id, scope: 'write' },
    ]);
    const audited = await identity.rows(
      "select from audit_events where record_type = 'consent' and record_id = $1 and action like 'users.%'",
      [withdrawn[0]?.data.consent_id],
    );
    expect(audited).toHaveLength(1);
    expect((await ben.browser.get(consent.show, queryOf(app))).status).toBe(303);
  });

  it('tells of each token once: not of expired ones, and of those of an application together', async () => {
    const [ada, app] = [await someUser(), await someApp()];
    const { access_token } = await tokensFor(ada, app);
    const [old, own] = [await tokens.create({ user: ada.id }), await tokens.create({ user: ada.id })];
    await identity.rows("update access_tokens set expires_at = now() - interval '1 s' where id = $1", [
      old.id,
    ]);
    await end(ada.id);
    const about = (await identity.published()).filter(
      ({ type, data }) => /revoked$/.test(type) && data.user_id === ada.id,
    );
    expect(about.map(({ data }) => data.access_token_id ?? data.application_id)).toEqual([app.id, own.id]);
    for (const token of [access_token, own.access_token]) expect(await isGood(token)).toBe(false);
  });
});
