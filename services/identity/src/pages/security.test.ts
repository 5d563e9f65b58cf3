import type { WebAnswer, WebRequest } from '@crm/contract';
import { startCarriers } from '@crm/delivery/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { identityUnderTest, publicUrl } from '../../test/harness.ts';
import { oauthIn } from '../../test/oauth-client.ts';
import { ownOrigin, password, signedIn, tokenIn, visitorOf } from '../../test/visitor.ts';
import { forgetOldResets } from '../password-resets/password-reset.queries.ts';
import { forgetOldMails } from '../security-events/account-mail.queries.ts';
import { forgetOldEvents } from '../security-events/security-event.queries.ts';
import { formToken } from '../sessions/browser-secret.ts';
import { forgetUnusedDevices } from '../sessions/known-device.queries.ts';

const carriers = await startCarriers(publicUrl);
afterAll(carriers.close);
const identity = await identityUnderTest({ mail: carriers.delivery });
afterAll(identity.close);
const { users, tokens, account, security, passwordResets, actors } = identity.asSystem;
const { someApp, codeFor } = oauthIn(identity);

const another = 'staple of another kind';
let count = 0;

const someone = () => signedIn(identity, { first_name: 'Lee', last_name: 'Ng' });
type Somebody = Awaited<ReturnType<typeof someone>>;
type Call = (request: WebRequest) => Promise<WebAnswer>;

/** Submits a form of the security page. */
async function submit(
  { browser }: Pick<Somebody, 'browser'>,
  [call, path]: readonly [Call, string],
  fields: Readonly<Record<string, string>> = {},
) {
  const shown = await browser.get(security.show);
  const [, device_id = ''] = /devices\/(\d+)/.exec(path) ?? [];
  const [, token_id = ''] = /tokens\/(\d+)/.exec(path) ?? [];
  const sent = { params: { device_id, token_id }, headers: ownOrigin };
  return browser.post(call, { form_token: tokenIn(shown, path), ...fields }, sent);
}
const change = (who: Pick<Somebody, 'browser'>, current_password: string, new_password: string) =>
  submit(who, [security.changePassword, '/account/password'], { current_password, new_password });

const isSignedIn = async (browser: Somebody['browser']) => (await browser.get(account.show)).status === 200;
const kindsOf = async ({ id }: Pick<Somebody, 'id'>) =>
  (await identity.rows('select kind from security_events where user_id = $1 order by id', [id])).map(
    ({ kind }) => kind,
  );
/** The e-mails to an address, once there are as many as wanted. */
async function mailsTo(email: string, wanted: number) {
  const mails = async () => (await carriers.mail.mails()).filter(({ to }) => String(to).includes(email));
  await expect.poll(async () => (await mails()).length).toBeGreaterThanOrEqual(wanted);
  return mails();
}

describe('changing the password', () => {
  it('requires the current one, ends all other access, and is reported by e-mail', async () => {
    const lee = await someone();
    const other = visitorOf(identity);
    await other.signIn(lee.email, password);
    const { access_token } = await tokens.create({ user: lee.id });
    expect(await change(lee, 'wrong', another)).toMatchObject({ status: 422 });
    expect((await change(lee, password, 'short')).body).toContain('must have at least 8 characters');
    expect(await change(lee, '', another)).toMatchObject({ status: 422 });
    expect(await isSignedIn(other)).toBe(true);

    const before = lee.browser.cookies.get('__Host-session');
    expect(await change(lee, password, another)).toMatchObject({ status: 303 });
    expect(lee.browser.cookies.get('__Host-session')).not.toBe(before);
    expect([await isSignedIn(lee.browser), await isSignedIn(other)]).toEqual([true, false]);
    await expect(actors.resolve({ token: access_token })).rejects.toThrow();
    expect((await other.signIn(lee.email, password)).status).toBe(422);
    expect((await other.signIn(lee.email, another)).status).toBe(303);
    const mails = await mailsTo(lee.email, 4);
    expect(mails.map(({ subject }) => subject).sort()).toEqual([
      ...Array(3).fill('New sign-in to your account'),
      'Your password was changed',
    ]);
    expect(mails.at(-1)?.text).toContain(`${publicUrl}/account/security`);
  });
});

describe('a forgotten password', () => {
  const visitor = () => visitorOf(identity);
  async function ask(browser: Somebody['browser'], email: string) {
    const shown = await browser.get(passwordResets.ask);
    const form_token = tokenIn(shown, '/forgotten-password');
    return browser.post(passwordResets.send, { form_token, email });
  }
  const linksTo = async (email: string, wanted: number) =>
    (await mailsTo(email, wanted + 1)).flatMap(({ text }) =>
      [...String(text).matchAll(/\/reset-password\/([\w-]+)/g)].map(([, token = '']) => token),
    );
  async function reset(browser: Somebody['browser'], token: string, new_password: string) {
    const sent = { params: { token } };
    const shown = await browser.get(passwordResets.show, '', sent);
    const form_token = tokenIn(shown, `/reset-password/${token}`);
    return browser.post(passwordResets.reset, { form_token, new_password }, sent);
  }

  it('is replaced with a link that works once, and all sessions end', async () => {
    const lee = await someone();
    const [known, unknown] = [
      await ask(visitor(), lee.email.toUpperCase()),
      await ask(visitor(), 'no@example.com'),
    ];
    expect(known).toEqual(unknown);
    expect(known.body).toContain('If an account has this address');
    const [token = ''] = await linksTo(lee.email, 1);
    const stored = await identity.rows('select * from password_resets, account_mails, security_events');
    expect(JSON.stringify(stored)).not.toContain(token);

    const browser = visitor();
    expect(await reset(browser, token, 'short')).toMatchObject({ status: 422 });
    const foreign = { params: { token }, headers: { origin: 'https://evil.example' } };
    const attempt = await browser.post(passwordResets.reset, { new_password: another }, foreign);
    expect(attempt.status).toBe(403);
    // Simulates others who guess meanwhile.
    for (let failure = 0; failure < 5; failure++) await visitor().signIn(lee.email, 'a wrong guess');
    const rivals = [browser, visitor()] as const;
    const both = await Promise.all(rivals.map((rival, n) => reset(rival, token, `${another} ${n}`)));
    expect(both.map(({ status }) => status).sort()).toEqual([303, 404]);
    expect(await isSignedIn(lee.browser)).toBe(false);
    const won = both.findIndex(({ status }) => status === 303);
    expect((await rivals[won]?.signIn(lee.email, `${another} ${won}`))?.status).toBe(303);
    expect(await reset(visitor(), token, another)).toMatchObject({ status: 404 });
    const subjects = (await mailsTo(lee.email, 3)).map(({ subject }) => subject);
    expect(subjects.slice(1)).toEqual(['Choose a new password', 'Your password was changed']);
  });

  it('is not replaced with a link that has expired or is older than the password', async () => {
    const lee = await someone();
    await ask(visitor(), lee.email);
    await ask(visitor(), lee.email);
    const [first = '', second = ''] = await linksTo(lee.email, 2);
    await identity.rows(
      "update password_resets set expires_at = now() where token_hash = encode(sha256($1::bytea), 'hex')",
      [first],
    );
    expect(await reset(visitor(), first, another)).toMatchObject({ status: 404 });
    await change(lee, password, 'yet another one');
    expect(await reset(visitor(), second, another)).toMatchObject({ status: 404 });
  });

  it('of an invited user can be chosen only with the link', async () => {
    const email = `new${++count}@example.com`;
    await users.create({ email, invite: true });
    for (const guess of ['', password]) expect((await visitor().signIn(email, guess)).status).toBe(422);
    const [token = ''] = await linksTo(email, 0);
    await identity.rows("update password_resets set expires_at = expires_at - interval '6 days 23 hours'");
    const { body } = await visitor().get(passwordResets.show, '', { params: { token } });
    for (const shown of ['Welcome', email]) expect(body).toContain(shown);
    expect((await reset(visitor(), token, another)).headers.location).toBe('/sign-in?account_ready');
    expect((await visitor().signIn(email, another)).status).toBe(303);
    expect((await mailsTo(email, 1))[0]).toMatchObject({ subject: 'Your new account' });
    const both = users.create({ email: `new${++count}@example.com`, invite: true, password });
    await expect(both).rejects.toMatchObject({ errors: { invite: expect.any(String) } });
  });

  it('can be chosen by the same form for an account that has no password and no link', async () => {
    const email = `new${++count}@example.com`;
    await users.create({ email });
    for (const guess of ['', password]) expect((await visitor().signIn(email, guess)).status).toBe(422);
    await ask(visitor(), email);
    const [token = ''] = await linksTo(email, 0);
    expect(await reset(visitor(), token, another)).toMatchObject({ status: 303 });
    expect((await visitor().signIn(email, another)).status).toBe(303);
  });

  it('causes at most three links to an address, silently, and ten requests from a network', async () => {
    const lee = await someone();
    for (let n = 0; n < 4; n++) expect((await ask(visitor(), lee.email)).status).toBe(200);
    expect((await kindsOf(lee)).filter((kind) => kind === 'password reset requested')).toHaveLength(3);
    const eve = visitor();
    for (let n = 0; n < 10; n++) expect((await ask(eve, `nobody${n}@example.com`)).status).toBe(200);
    const before = await identity.rows('select count(*) from sign_in_failures');
    expect(await ask(eve, lee.email)).toMatchObject({ status: 429, headers: { 'retry-after': '360' } });
    expect(await identity.rows('select count(*) from sign_in_failures')).toEqual(before);
  });
});

describe('the security page', () => {
  it('shows everything that can use the account, and can end each access', async () => {
    const lee = await someone();
    const other = visitorOf(identity, '198.51.100.201');
    const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
    await other.signIn(lee.email, password, {}, { headers: { ...ownOrigin, 'user-agent': agent } });
    const { id: tokenId } = await tokens.create({ user: lee.id, name: 'Laptop' });
    const app = await someApp({ name: 'Open House Planner' });
    await codeFor(lee, app);
    const { body } = await lee.browser.get(security.show);
    const facts = ['this browser', 'Firefox on Linux', '198.51.100.201', 'Laptop', 'Open House Planner'];
    for (const shown of facts) expect(body).toContain(shown);
    const [, deviceId = ''] = /devices\/(\d+)\/end/.exec(body) ?? [];

    const eve = await someone();
    for (const [call, path] of [
      [security.endDevice, `/account/security/devices/${deviceId}/end`],
      [security.revokeToken, `/account/security/tokens/${tokenId}/revoke`],
    ] as const) {
      const form_token = formToken(eve.browser.cookies.get('__Host-session') ?? '', path);
      expect((await submit(eve, [call, path], { form_token })).status).toBe(404);
      expect((await submit(eve, [call, path])).status).toBe(403);
      expect(await submit(lee, [call, path])).toMatchObject({ status: 303 });
      expect((await submit(lee, [call, path])).status).toBe(403);
    }
    expect([await isSignedIn(lee.browser), await isSignedIn(other)]).toEqual([true, false]);
    expect((await lee.browser.get(security.show)).body).not.toContain(`tokens/${tokenId}`);

    await other.signIn(lee.email, password);
    await submit(lee, [security.signOutEverywhere, '/account/security/sign-out']);
    expect([await isSignedIn(lee.browser), await isSignedIn(other)]).toEqual([false, false]);
    expect(await kindsOf(lee)).toEqual([
      'signed in on a new device',
      'signed in on a new device',
      'token created',
      'application allowed',
      'signed out a device',
      'token revoked',
      'signed in on a new device',
      'signed out everywhere',
    ]);
    const subjects = (await mailsTo(lee.email, 4)).map(({ subject }) => subject);
    expect(subjects).toContain('Open House Planner can use your account');
  });

  it('shows what others tried and that a broker may act, which is also reported by e-mail', async () => {
    const lee = await someone();
    const { id: broker } = await users.create({ email: 'kim@example.com', password, is_broker: true });
    await visitorOf(identity, '198.51.100.202').signIn(lee.email, 'a wrong guess');
    await identity.asSystem.subAccounts.consent({ broker, user: lee.id });
    const { body } = await lee.browser.get(security.show);
    // Many failures do not hide other events.
    await identity.rows(
      `insert into security_events (user_id, kind, happened_at)
       select $1, 'sign-in failed', now() from generate_series(1, 60)`,
      [lee.id],
    );
    expect((await lee.browser.get(security.show)).body).toContain('Signed in with a new browser');
    for (const shown of [
      'A wrong password was entered',
      '198.51.100.202',
      'A broker was allowed to act for you',
      'kim@',
    ])
      expect(body).toContain(shown);
    expect((await mailsTo(lee.email, 2)).at(-1)?.subject).toBe('kim@example.com may act for you');
  });

  it('forgets only events that are too old', async () => {
    const { id } = await someone();
    await identity.rows(
      `insert into security_events (user_id, kind, happened_at)
       select $1, 'signed in', now() - make_interval(days => 399 + n % 2 * 2) from generate_series(1, 2400) n`,
      [id],
    );
    await identity.rows(
      `insert into known_devices (secret_hash, user_id, address, created_at, last_used_at)
       select n, $1, '192.0.2.1', now(), now() - make_interval(days => n) from unnest(array[399, 401]) n`,
      [id],
    );
    await identity.rows(
      `insert into account_mails (event_id, state, due_at)
       select min(id) + 1 + n, 'Done', now() - make_interval(days => 29 + n) from security_events, generate_series(0, 2, 2) n
       where user_id = $1 and happened_at < now() - interval '100 days' group by n`,
      [id],
    );
    await identity.rows(
      `insert into password_resets (user_id, token_hash, expires_at)
       select $1, n, now() + make_interval(mins => n) from unnest(array[-1, 1]) n`,
      [id],
    );
    for (const forget of [forgetOldMails, forgetOldEvents, forgetUnusedDevices, forgetOldResets])
      await forget(identity.rows);
    const [left] = await identity.rows(
      `select (select count(*) from security_events where user_id = $1)::int as events,
         (select count(*) from known_devices where user_id = $1)::int as devices,
         (select count(*) from password_resets where user_id = $1)::int as resets,
         (select count(*) from account_mails m join security_events e on e.id = m.event_id
          where e.user_id = $1 and m.due_at < now() - interval '1 day')::int as mails`,
      [id],
    );
    expect(left).toEqual({ events: 1201, devices: 2, resets: 1, mails: 1 });
  });
});
