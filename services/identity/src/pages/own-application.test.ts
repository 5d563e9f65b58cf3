import { absent } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { identityUnderTest } from '../../test/harness.ts';
import { signedIn, tokenIn } from '../../test/visitor.ts';
import { formToken } from '../sessions/browser-secret.ts';

const identity = await identityUnderTest();
afterAll(identity.close);
const { actors, applications, connectedApplications, consent, ownApplications } = identity.asSystem;

const callback = 'https://app.example.com/callback';
const someone = async () => {
  const { browser, ...user } = await signedIn(identity);
  return { ...user, ...browser };
};
type Someone = Awaited<ReturnType<typeof someone>>;

const draft = { name: 'Planner', redirect_uris: callback };
const register = async (who: Someone, fields: Readonly<Record<string, string>> = draft) => {
  const form_token = tokenIn(await who.get(ownApplications.list), '/account/applications');
  return who.post(ownApplications.register, { form_token, ...fields });
};
const secretIn = (body: string, prefix: string) =>
  new RegExp(`${prefix}[0-9A-Za-z]{49}`).exec(body)?.[0] ?? '';
const idsOf = async (owner: Someone) =>
  (await applications.find({})).data.filter(({ owner_user_id }) => owner_user_id === owner.id);

/** An application of a user, and the forms on its page. */
async function ownedBy(owner: Someone) {
  await register(owner);
  const [application] = await idsOf(owner);
  const id = application?.id ?? 0;
  const act = async (
    call: (typeof ownApplications)['change'],
    path: string,
    fields: Readonly<Record<string, string>> = {},
    from = ownApplications.show,
  ) => {
    const params = { id: String(id), token_id: path.split('/')[2] ?? '' };
    const form_token = tokenIn(await owner.get(from, '', { params }), `/account/applications/${id}${path}`);
    return owner.post(call, { form_token, ...fields }, { params });
  };
  return { id, client_id: application?.client_id ?? '', act };
}

describe('registering an application', () => {
  it('shows the secret once, and lists what was registered', async () => {
    const ada = await someone();
    const answer = await register(ada, {
      ...draft,
      redirect_uris: ` ${callback}\r\n\r\nhttp://localhost/x `,
    });
    expect(answer.status).toBe(200);
    expect(secretIn(answer.body, 'crm_cs_')).not.toBe('');
    expect(await idsOf(ada)).toMatchObject([
      {
        name: 'Planner',
        redirect_uris: [callback, 'http://localhost/x'],
        is_public: false,
        allows_implicit: false,
      },
    ]);
    const shown = await ada.get(ownApplications.list);
    expect(shown.body).toContain('Planner');
    expect(shown.body).not.toContain('crm_cs_');
  });

  it('as a public one creates no secret', async () => {
    const ada = await someone();
    expect((await register(ada, { ...draft, is_public: 'true' })).status).toBe(303);
    expect(await idsOf(ada)).toMatchObject([{ is_public: true }]);
  });

  it.each([
    [{ name: ' ' }, 'name', 'The name must not be empty.'],
    [{ redirect_uris: '' }, 'redirect_uris', 'The list of redirect URIs must contain at least one.'],
    [
      { redirect_uris: `${callback}\nftp://x` },
      'redirect_uris',
      '&quot;ftp://x&quot; must be an https address',
    ],
    [{ name: 'x'.repeat(256) }, 'name', 'The name must have at most 255 characters.'],
    [{ name: 'a\u0000b' }, 'name', 'The name must not contain NUL'],
  ])(
    'with %j is refused with an error at the field, keeps what was typed and changes nothing',
    async (wrong, field, sentence) => {
      const ada = await someone();
      const answer = await register(ada, { ...draft, ...wrong });
      expect(answer.status).toBe(422);
      expect(answer.body).toContain(`<a href="#${field}">${sentence}`);
      expect(answer.body).toContain(`${field}-error`);
      if (field !== 'name') expect(answer.body).toContain('value="Planner"');
      expect(await idsOf(ada)).toEqual([]);
    },
  );
});

describe('an application of the user', () => {
  it('is changed', async () => {
    const ada = await someone();
    const { act } = await ownedBy(ada);
    const changes = { name: 'Other', redirect_uris: 'https://other.example/x', allows_implicit: 'true' };
    expect(await act(ownApplications.change, '', changes)).toMatchObject({ status: 303 });
    expect(await idsOf(ada)).toMatchObject([
      { name: 'Other', redirect_uris: ['https://other.example/x'], allows_implicit: true },
    ]);
    expect(await act(ownApplications.change, '', { ...changes, name: '' })).toMatchObject({ status: 422 });
    expect(await idsOf(ada)).toMatchObject([{ name: 'Other' }]);
  });

  it('gets a new secret, shown once', async () => {
    const ada = await someone();
    const { id, act } = await ownedBy(ada);
    const answer = await act(ownApplications.rotateSecret, '/secret');
    expect(secretIn(answer.body, 'crm_cs_')).not.toBe('');
    const secrets = () =>
      identity.rows('select ends_at from application_secrets where application_id = $1 order by id', [id]);
    expect(await secrets()).toMatchObject([{ ends_at: expect.anything() }, { ends_at: null }]);
    await act(ownApplications.rotateSecret, '/secret', { at_once: 'true' });
    expect(await secrets()).toMatchObject([{ ends_at: null }]);
  });

  it('gets a named token for its owner, shown once, which can be revoked', async () => {
    const ada = await someone();
    const { id, act } = await ownedBy(ada);
    const answer = await act(ownApplications.makeToken, '/tokens', { token_name: 'Laptop', scope: 'read' });
    const token = secretIn(answer.body, 'crm_at_');
    expect(await actors.resolve({ token })).toMatchObject({ id: ada.id, scopes: ['read'] });
    const shown = await ada.get(ownApplications.show, '', { params: { id: String(id) } });
    expect(shown.body).toContain('Laptop');
    expect(shown.body).not.toContain('crm_at_');
    const [row] = await identity.rows('select id from access_tokens where application_id = $1', [id]);
    expect(await act(ownApplications.revokeToken, `/tokens/${row?.id}/revoke`)).toMatchObject({
      status: 303,
    });
    await expect(actors.resolve({ token })).rejects.toMatchObject({ name: 'NotAuthenticated' });
  });

  it.each<Record<string, string>>([
    { token_name: ' ', scope: 'read' },
    { token_name: 'Laptop', scope: 'everything' },
    { token_name: 'Laptop' },
  ])('gets no token for %j', async (fields) => {
    const ada = await someone();
    const { id, act } = await ownedBy(ada);
    expect(await act(ownApplications.makeToken, '/tokens', fields)).toMatchObject({ status: 422 });
    expect(await identity.rows('select from access_tokens where application_id = $1', [id])).toEqual([]);
  });

  it('gets no token while it is disabled, and its page has no form for one', async () => {
    const ada = await someone();
    const { id, act } = await ownedBy(ada);
    const path = `/account/applications/${id}/tokens`;
    const form_token = formTokenOf(ada, path);
    await applications.change({ id, is_disabled: true });
    const laptop = { token_name: 'Laptop', scope: 'write' };
    const params = { id: String(id) };
    const answer = await ada.post(ownApplications.makeToken, { form_token, ...laptop }, { params });
    expect(answer.status).toBe(409);
    expect(answer.body).toContain('No token was created, because this application is disabled.');
    expect(answer.body).not.toContain(`action="${path}"`);
    expect(await identity.rows('select from access_tokens where application_id = $1', [id])).toEqual([]);
    await applications.change({ id, is_disabled: false });
    expect(await act(ownApplications.makeToken, '/tokens', laptop)).toMatchObject({ status: 200 });
  });

  it('is removed after a confirmation that shows how many use it', async () => {
    const [ada, bo] = [await someone(), await someone()];
    const { id, client_id, act } = await ownedBy(ada);
    const query = new URLSearchParams({
      response_type: 'code',
      client_id,
      redirect_uri: callback,
    }).toString();
    const asked = await bo.get(consent.show, query);
    const form_token = tokenIn(asked, `/oauth2/authorize?${query.replaceAll('&', '&amp;')}`);
    const allow = { form_token, decision: 'allow' };
    // A form token is valid for its own form only.
    expect(await bo.post(consent.decide, allow, { query: `${query}&scope=write` })).toMatchObject({
      status: 403,
    });
    expect(await bo.post(consent.decide, allow, { query })).toMatchObject({
      status: 303,
      headers: { location: expect.stringContaining('code=crm_ac_') },
    });

    const question = await ada.get(ownApplications.askToRemove, '', { params: { id: String(id) } });
    expect(question.body).toContain('One other user has connected it, with 0 access tokens.');
    expect(await act(ownApplications.remove, '/remove', {}, ownApplications.askToRemove)).toMatchObject({
      status: 303,
    });
    expect(await idsOf(ada)).toEqual([]);
    expect((await bo.get(connectedApplications.list)).body).not.toContain('Planner');
  });
});

describe('an application of another user', () => {
  const actions = [
    ['change', '', { ...draft, name: 'Stolen' }],
    ['rotateSecret', '/secret', {}],
    ['makeToken', '/tokens', { token_name: 'Mine', scope: 'write' }],
    ['remove', '/remove', {}],
  ] as const;

  it('appears not to exist: its pages are not found', async () => {
    const [ada, eve] = [await someone(), await someone()];
    const { id } = await ownedBy(ada);
    for (const shown of [ownApplications.show, ownApplications.askToRemove]) {
      const [hidden, missing, nonsense] = await Promise.all(
        [String(id), String(absent), "1' or 1=1"].map((one) => eve.get(shown, '', { params: { id: one } })),
      );
      expect(hidden).toMatchObject({ status: 404 });
      expect([missing, nonsense]).toEqual([hidden, hidden]);
    }
    expect((await eve.get(ownApplications.list)).body).not.toContain('Planner');
  });

  it.each(actions)('cannot be changed by a form either: %s', async (verb, path, fields) => {
    const [ada, eve] = [await someone(), await someone()];
    const { id } = await ownedBy(ada);
    const before = await identity.rows('select * from applications where id = $1', [id]);
    // Even with a form token of the attacker's own session for this path.
    const form_token = formTokenOf(eve, `/account/applications/${id}${path}`);
    const answer = await eve.post(
      ownApplications[verb],
      { form_token, ...fields },
      { params: { id: String(id) } },
    );
    expect(answer.status).toBe(404);
    expect(answer.body).not.toMatch(/crm_(at|cs)_/);
    expect(await identity.rows('select * from applications where id = $1', [id])).toEqual(before);
    expect(
      await identity.rows('select from application_secrets where application_id = $1', [id]),
    ).toHaveLength(1);
    expect(await identity.rows('select from access_tokens where application_id = $1', [id])).toEqual([]);
  });

  it('keeps its tokens and its consents', async () => {
    const [ada, eve] = [await someone(), await someone()];
    const { id, act } = await ownedBy(ada);
    const answer = await act(ownApplications.makeToken, '/tokens', { token_name: 'Laptop', scope: 'write' });
    const [row] = await identity.rows('select id from access_tokens where application_id = $1', [id]);
    const params = { id: String(id), token_id: String(row?.id), application_id: String(id) };
    for (const [call, path] of [
      [ownApplications.revokeToken, `/account/applications/${id}/tokens/${row?.id}/revoke`],
      [connectedApplications.withdraw, `/account/connected-applications/${id}/withdraw`],
    ] as const) {
      const form_token = formTokenOf(eve, path);
      expect(await eve.post(call, { form_token }, { params })).toMatchObject({ status: 404 });
    }
    expect(await actors.resolve({ token: secretIn(answer.body, 'crm_at_') })).toMatchObject({ id: ada.id });
  });
});

/** The form token that our page would contain for a path and a session. */
const formTokenOf = ({ cookies }: Someone, path: string): string =>
  formToken(cookies.get('__Host-session') ?? '', path);
