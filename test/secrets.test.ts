import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { approvingUser, redirectUri } from './oauth/approving-user.ts';
import { shapesFor, startSystem } from './system.ts';

/** A secret is known only to the one who received it: no table, event, log or error contains it. */
describe.each(shapesFor(import.meta))('%s: secrets', async (shape) => {
  const system = await startSystem(shape);
  afterAll(system.stop);

  const secrets: Record<string, string> = {};
  const keep = (name: string, value: unknown) => {
    const text = String(value);
    expect(text, name).toMatch(/^\S{12,}$/);
    secrets[name] = text;
    return text;
  };
  /** The responses to rejected requests. */
  const refusals: string[] = [];
  const refused = async (request: Promise<Response>) => {
    const answer = await request;
    expect(answer.status).toBeGreaterThanOrEqual(400);
    refusals.push(JSON.stringify([...answer.headers]), await answer.text());
  };
  const at = (path: string, init?: RequestInit) => fetch(system.url + path, { redirect: 'manual', ...init });
  const asked = async (path: string, fields: object) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await at(path, { method: 'POST', headers, body: JSON.stringify(fields) });
    return { answer, body: (await answer.clone().json()) as Record<string, unknown> };
  };

  const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

  /** Creates, shows, uses, renews and revokes secrets. */
  async function useSecrets() {
    const owner = await system.person({ is_broker: true });
    keep('token made by the operator', owner.token);
    const { client_id, client_secret, id } = await system.operator.applications.create({
      name: 'Planner',
      owner: owner.id,
      redirect_uris: [redirectUri],
    });
    keep('client secret', client_secret);
    keep('second client secret', (await system.operator.applications.rotateSecret({ id })).client_secret);
    const user = await approvingUser(system);
    const query = new URLSearchParams({ response_type: 'code', client_id, redirect_uri: redirectUri });
    const back = await user.allow(`${system.url}/oauth2/authorize?${query}`);
    const code = keep('code', back.searchParams.get('code'));
    const client = { client_id, client_secret };
    const grant = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, ...client };
    const { body: pair } = await asked('/oauth2/token', grant);
    keep('access token', pair.access_token);
    keep('refresh token', pair.refresh_token);
    const renewal = { grant_type: 'refresh_token', refresh_token: pair.refresh_token, ...client };
    const { body: renewed } = await asked('/oauth2/token', renewal);
    keep('second access token', renewed.access_token);
    keep('second refresh token', renewed.refresh_token);
    await asked('/oauth2/introspect', { token: renewed.access_token, ...client });
    const colleague = await system.person();
    await colleague.allows(owner);
    const subAccount = await owner.api.post(
      '/sub-accounts',
      { user_id: colleague.id },
      { 'idempotency-key': 'k' },
    );
    keep('token of a sub-account', subAccount.body.access_token);
    keep('password chosen by an operator', randomUUID());
    const password = secrets['password chosen by an operator'] ?? '';
    await system.operator.users.changePassword({ user: colleague.id, password });
    for (const [place, secret] of user.secrets().entries()) keep(`secret ${place} of the browser`, secret);

    await asked('/oauth2/revoke', { token: renewed.refresh_token, ...client });
    await refused(at('/me', bearer(String(renewed.access_token))));
    return { owner, client };
  }

  type Used = Awaited<ReturnType<typeof useSecrets>>;

  /** Sends every secret to wrong places. */
  async function misuseSecrets({ owner, client }: Used) {
    for (const secret of Object.values(secrets)) {
      await refused(at(`/contacts?access_token=${encodeURIComponent(secret)}`));
      // The response repeats the requested id, but the logs must not.
      await at(`/contacts/${encodeURIComponent(secret)}`, bearer(owner.token));
      await refused(at('/contacts', bearer(`${secret}x`)));
      await refused(at(`/users?oauth_client_id=${encodeURIComponent(secret)}`, bearer(owner.token)));
      await refused(at(`/oauth2/authorize?client_id=${encodeURIComponent(secret)}`));
      for (const field of ['code', 'refresh_token', 'grant_type', 'client_secret']) {
        const wrong = { grant_type: 'refresh_token', ...client, refresh_token: 'none', [field]: secret };
        if (field === 'client_secret' && secret === client.client_secret) continue;
        refusals.push(await (await asked('/oauth2/token', wrong)).answer.text());
      }
    }
  }

  it('are in no table, event, log or error', async () => {
    await misuseSecrets(await useSecrets());
    // The last use of a token is stored a little later, and events are still being published.
    await system.settled();
    const logs = JSON.stringify(await system.logs());
    const stored = await system.everything();
    expect(logs).toContain('oauth.token');
    expect(stored).toContain('identity.application.created');
    expect(refusals.length).toBeGreaterThan(100);
    const places = { logs, stored, refusals: refusals.join('\n') };
    const found = Object.entries(secrets).flatMap(([name, secret]) =>
      Object.entries(places).flatMap(([place, text]) =>
        text.includes(secret) ? [`${name} in ${place}`] : [],
      ),
    );
    expect(found).toEqual([]);
    expect(logs).not.toMatch(/crm_(at|rt|ac|cs|op|sv)_/);
  });
});
