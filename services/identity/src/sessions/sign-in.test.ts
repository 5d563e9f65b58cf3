import { hashOfToken } from '@crm/auth';
import { afterAll, describe, expect, it } from 'vitest';
import { identityUnderTest } from '../../test/harness.ts';
import { ownOrigin, password, tokenIn, visitorOf } from '../../test/visitor.ts';
import { newBrowserSecret } from './browser-secret.ts';
import { rememberDevice } from './known-device.queries.ts';
import { continueSession, forgetEndedSessions, openSession } from './session.queries.ts';

const identity = await identityUnderTest();
afterAll(identity.close);
const { users, signIn, account, ownApplications } = identity.asSystem;

let people = 0;
async function someUser() {
  people += 1;
  return users.create({
    email: `person${people}@example.com`,
    password,
    first_name: 'Ada',
    last_name: 'Byron',
  });
}
const visitor = () => visitorOf(identity);
const toSignIn = {
  status: 303,
  headers: { location: expect.stringMatching(/^\/sign-in\?continue=[\w.-]+$/) },
};

describe('signing in', () => {
  it('opens the account', async () => {
    const user = await someUser();
    const ada = visitor();
    const asked = await ada.get(account.show);
    expect(asked).toMatchObject(toSignIn);
    expect(await ada.signIn(user.email.toUpperCase(), password)).toMatchObject({
      status: 303,
      headers: { location: '/account' },
    });
    const shown = await ada.get(account.show);
    expect(shown.status).toBe(200);
    expect(shown.body).toContain(user.email);
  });

  it('continues to the requested page, and never to a target that the browser sends', async () => {
    const { email } = await someUser();
    const ada = visitor();
    const { headers } = await ada.get(ownApplications.list);
    const target = String(headers.location).split('=')[1] ?? '';
    const [facts = '', proof = ''] = target.split('.');
    const changed = Buffer.from('["/account/brokers",null]').toString('base64url');
    for (const forged of [
      'https://evil.example',
      '//evil.example',
      'A'.repeat(43),
      target,
      `${facts}.`,
      '.',
    ]) {
      const answer = await visitor().signIn(email, password, { continue: forged });
      expect(answer).toMatchObject({ status: 303, headers: { location: '/account' } });
    }
    const other = visitor();
    await other.get(account.show);
    expect(await other.signIn(email, password, { continue: `${changed}.${proof}` })).toMatchObject({
      headers: { location: '/account' },
    });
    expect(await ada.signIn(email, password, { continue: target })).toMatchObject({
      headers: { location: '/account/applications' },
    });
    // A target is valid only in the browser it was written for.
    expect(await visitor().signIn(email, password, { continue: target })).toMatchObject({
      headers: { location: '/account' },
    });
  });

  it('continues to a path of our origin, whatever the path contains', async () => {
    const { email } = await someUser();
    for (const id of [
      'x\r\nSet-Cookie: a=b',
      '../../../evil',
      '//evil.example',
      '?continue=1',
      'ü'.repeat(900),
    ]) {
      const ada = visitor();
      const asked = await ada.get(ownApplications.show, '', { params: { id } });
      const answer = await ada.signIn(email, password, {
        continue: String(asked.headers.location).split('=')[1] ?? '',
      });
      const location = String(answer.headers.location);
      expect(location).toMatch(/^\/account\/applications\/[\w.%-]+$/);
      expect(decodeURIComponent(location)).toBe(`/account/applications/${id}`);
    }
    const tooLong = await visitor().get(ownApplications.show, '', { params: { id: '中'.repeat(1000) } });
    expect(tooLong).toMatchObject(toSignIn);
  });

  it('sets a cookie that no script and no other site can read, under a new secret each time', async () => {
    const { email } = await someUser();
    const ada = visitor();
    const planted = 'p'.repeat(43);
    ada.cookies.set('__Host-session', planted);
    const first = await ada.signIn(email, password);
    const line = [first.headers['set-cookie'] ?? []].flat().find((one) => one.startsWith('__Host-session='));
    expect(line?.split('; ').slice(1).sort()).toEqual(['HttpOnly', 'Path=/', 'SameSite=Lax', 'Secure']);
    const one = ada.cookies.get('__Host-session') ?? '';
    expect(one).toMatch(/^[\w-]{43}$/);
    expect(one).not.toBe(planted);

    // Signing in again ends the previous session.
    const shown = await ada.get(signIn.show);
    expect(shown).toMatchObject({ status: 303, headers: { location: '/account' } });
    ada.cookies.delete('__Host-session');
    const form = await ada.get(signIn.show);
    ada.cookies.set('__Host-session', one);
    await ada.post(signIn.signIn, { form_token: tokenIn(form, '/sign-in'), email, password });
    const two = ada.cookies.get('__Host-session');
    expect(two).not.toBe(one);
    const thief = visitor();
    thief.cookies.set('__Host-session', one);
    expect(await thief.get(account.show)).toMatchObject(toSignIn);
    expect((await ada.get(account.show)).status).toBe(200);
  });

  it('stores neither the secret of a session nor the e-mail address that was typed', async () => {
    const { email } = await someUser();
    const ada = visitor();
    await ada.signIn(email, 'wrong password');
    await ada.signIn(email, password);
    const secret = ada.cookies.get('__Host-session') ?? '-';
    const stored = JSON.stringify([
      await identity.rows('select * from sessions'),
      await identity.rows('select * from sign_in_failures'),
    ]);
    for (const told of [secret, email, '198.51.100']) expect(stored).not.toContain(told);
  });

  it.each([
    ['a wrong password', (email: string) => [email, 'wrong password']],
    ['an unknown user', () => ['nobody@example.com', password]],
  ] as const)('with %s is refused in the same words', async (_, credentials) => {
    const { email } = await someUser();
    const [typed, secret] = credentials(email);
    const ada = visitor();
    const answer = await ada.signIn(typed ?? '', secret ?? '');
    expect(answer.status).toBe(422);
    expect(answer.body).toContain('The e-mail address or the password is wrong.');
    expect(answer.body).not.toContain(secret);
    expect(await ada.get(account.show)).toMatchObject(toSignIn);
  });

  it('stores at most 255 characters of what the browser says about itself', async () => {
    const { id, email } = await someUser();
    const headers = { ...ownOrigin, 'user-agent': `\0${'x'.repeat(300)}` };
    await visitor().signIn(email, password, {}, { headers });
    const stored = (table: string) =>
      identity.rows(`select user_agent from ${table} where user_id = $1`, [id]);
    for (const table of ['known_devices', 'security_events'])
      expect(await stored(table)).toEqual([{ user_agent: 'x'.repeat(255) }]);
  });

  it('is refused for a disabled user with the same message, and existing sessions end', async () => {
    const { id, email } = await someUser();
    const ada = visitor();
    await ada.signIn(email, password);
    expect((await ada.get(account.show)).status).toBe(200);
    await identity.rows('update users set disabled_at = now() where id = $1', [id]);
    expect(await ada.get(account.show)).toMatchObject(toSignIn);
    const answer = await visitor().signIn(email, password);
    expect(answer.status).toBe(422);
    expect(answer.body).toContain('The e-mail address or the password is wrong.');
  });

  it.each([
    ['', password, 'email'],
    ['a\u0000b@example.com', password, 'email'],
    ['someone@example.com', '', 'password'],
    ['x'.repeat(256), password, 'email'],
  ])('shows an error at the invalid field: %j', async (email, secret, field) => {
    const answer = await visitor().signIn(email, secret);
    expect(answer.status).toBe(422);
    expect(answer.body).toContain(`aria-describedby="${field}-error"`);
  });
});

describe('a session', () => {
  it.each([
    ['after two hours without use', "update sessions set last_seen_at = now() - interval '121 minutes'"],
    ['after twelve hours', "update sessions set expires_at = now() - interval '1 s'"],
    ['when the password changes', "update users set password_hash = 'another'"],
  ])('ends %s', async (_, sql) => {
    const { email } = await someUser();
    const ada = visitor();
    await ada.signIn(email, password);
    expect((await ada.get(account.show)).status).toBe(200);
    await identity.rows(sql);
    expect(await ada.get(account.show)).toMatchObject(toSignIn);
  });

  it('is extended by use, and lasts at most twelve hours', async () => {
    const { email } = await someUser();
    const ada = visitor();
    await ada.signIn(email, password);
    await identity.rows("update sessions set last_seen_at = now() - interval '119 minutes'");
    expect((await ada.get(account.show)).status).toBe(200);
    const [row] = await identity.rows(
      `select now() - last_seen_at < interval '1 minute' as fresh, expires_at - created_at as life
       from sessions order by created_at desc limit 1`,
    );
    expect(row).toMatchObject({ fresh: true, life: '12:00:00' });
  });

  it('is deleted when it has ended, and not before', async () => {
    const { id } = await someUser();
    const opened = async (change: string) => {
      const secret = newBrowserSecret();
      const request = { address: '192.0.2.1', headers: {} };
      const device = await rememberDevice(identity.rows, { secret, userId: id, request });
      await openSession(identity.rows, secret, { userId: id, deviceId: device.id });
      await identity.rows(`update sessions set ${change} where secret_hash = $1`, [hashOfToken(secret)]);
      return secret;
    };
    const live = await opened("last_seen_at = now() - interval '119 minutes'");
    await opened("last_seen_at = now() - interval '121 minutes'");
    await opened("expires_at = now() - interval '1 second'");
    await forgetEndedSessions(identity.rows);
    const kept = await identity.rows('select secret_hash from sessions where user_id = $1', [id]);
    expect(kept).toEqual([{ secret_hash: hashOfToken(live) }]);
    expect(await continueSession(identity.rows, live)).toMatchObject({ id });
  });

  it('ends for good when the user is disabled', async () => {
    const { id, email } = await someUser();
    const ada = visitor();
    await ada.signIn(email, password);
    await users.disable({ user: id });
    await users.enable({ user: id });
    expect(await ada.get(account.show)).toMatchObject(toSignIn);
  });

  it('ends for good when the user signs out', async () => {
    const { email } = await someUser();
    const ada = visitor();
    await ada.signIn(email, password);
    const secret = ada.cookies.get('__Host-session') ?? '';
    const page = await ada.get(account.show);
    expect(await ada.signOut(page)).toMatchObject({
      status: 303,
      headers: { location: '/sign-in?signed_out' },
    });
    expect(ada.cookies.has('__Host-session')).toBe(false);
    ada.cookies.set('__Host-session', secret);
    expect(await ada.get(account.show)).toMatchObject(toSignIn);
  });
});

describe('a form', () => {
  const foreign = [
    ['from another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['from a sibling host', { origin: 'https://sub.example.com', 'sec-fetch-site': 'same-site' }],
    ['without a site', { origin: 'null', 'sec-fetch-site': 'none' }],
    ['from nowhere', {}],
    ['of an old browser from another site', { origin: 'https://evil.example' }],
    ['with a false origin', { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' }],
  ] as const;

  it.each(foreign)('%s signs nobody in and nobody out', async (_, headers) => {
    const { email } = await someUser();
    const ada = visitor();
    expect(await ada.signIn(email, password, {}, { headers })).toMatchObject({ status: 403 });
    expect(ada.cookies.has('__Host-session')).toBe(false);
    await ada.signIn(email, password);
    const token = tokenIn(await ada.get(account.show), '/sign-out');
    const answer = await ada.post(identity.asSystem.signOut.signOut, { form_token: token }, { headers });
    expect(answer.status).toBe(403);
    expect((await ada.get(account.show)).status).toBe(200);
  });

  it('with the token of another browser or another form is refused', async () => {
    const { email } = await someUser();
    const [ada, eve] = [visitor(), visitor()];
    await eve.signIn((await someUser()).email, password);
    const stolen = tokenIn(await eve.get(account.show), '/sign-out');
    const foreignForm = tokenIn(await visitor().get(signIn.show), '/sign-in');
    await ada.get(signIn.show);
    for (const form_token of ['', foreignForm, stolen, '\u00e9'.repeat(43)]) {
      expect(await ada.post(signIn.signIn, { form_token, email, password })).toMatchObject({ status: 403 });
    }
    await ada.signIn(email, password);
    for (const form_token of ['', foreignForm, stolen]) {
      const answer = await ada.post(identity.asSystem.signOut.signOut, { form_token });
      expect(answer.status).toBe(403);
    }
    expect((await ada.get(account.show)).status).toBe(200);
  });
});
