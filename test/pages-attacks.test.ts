import type { Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { craftedRedirectUris } from './pages/crafted-redirect-uris.ts';
import { startSite } from './pages/listening.ts';
import { openPortal } from './pages/portal.ts';

const portal = await openPortal();
afterAll(portal.close);
const { at, system } = portal;
const site = await startSite();
afterAll(site.close);
const callback = `${site.url}/callback`;
const allow = (page: Page) => page.getByRole('button', { name: 'Allow', exact: true });
const consentsOf = (userId: number) =>
  system.rows('identity', 'select from consents where user_id = $1', [userId]);

describe('a foreign page', async () => {
  const pageAt = (path: string) => {
    const target = new URL(path, 'http://any').searchParams.get('target') ?? '';
    const attribute = target.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
    if (path.startsWith('/frame')) return `<iframe src="${attribute}" width="600" height="600"></iframe>`;
    return `<form method="post" action="${attribute}"><input name="decision" value="allow">
      <input name="form_token" value="guessed"></form><script>document.forms[0].submit()</script>`;
  };
  const attack = await startSite({ pageAt });
  afterAll(attack.close);

  it.each([
    ['another site', attack.foreignUrl],
    ['the same site', attack.url],
  ])('on %s cannot allow an application in the name of a visitor', async (_, origin) => {
    const user = await portal.account();
    const { client_id } = await portal.application(user, callback);
    const page = await portal.window();
    await portal.signIn(page, user);
    const requests = site.requests.length;
    const target = encodeURIComponent(portal.authorizeUrl(client_id, callback));
    const answered = page.waitForResponse((response) => response.request().method() === 'POST');
    await page.goto(`${origin}/post?target=${target}`);
    expect((await answered).status()).toBe(403);
    expect(await consentsOf(user.id)).toEqual([]);
    expect(site.requests.length).toBe(requests);
    // The visitor is still signed in.
    expect((await page.goto(at('/account')))?.status()).toBe(200);
    expect(new URL(page.url()).pathname).toBe('/account');
  });

  it('cannot embed a page of the system in a frame', async () => {
    const user = await portal.account();
    const { client_id } = await portal.application(user, callback);
    const page = await portal.window();
    await portal.signIn(page, user);
    for (const framed of [portal.authorizeUrl(client_id, callback), at('/account'), at('/sign-in')]) {
      await page.goto(`${attack.url}/frame?target=${encodeURIComponent(framed)}`, { waitUntil: 'load' });
      const [frame] = page.frames().slice(1);
      expect(frame?.url()).toBe('chrome-error://chromewebdata/');
      expect(await frame?.locator('button', { hasText: /Allow|Sign/ }).count()).toBe(0);
    }
  });
});

describe('a redirect URI other than the registered one', () => {
  it.each(craftedRedirectUris)('is rejected: %s', async (uri) => {
    const owner = await portal.account();
    const { client_id } = await portal.application(owner, 'https://app.example.com/callback');
    const look = async (redirectUri: string) => {
      const answer = await fetch(portal.authorizeUrl(client_id, redirectUri), { redirect: 'manual' });
      return { status: answer.status, location: answer.headers.get('location'), text: await answer.text() };
    };
    expect(await look(uri)).toMatchObject({
      status: 400,
      location: null,
      text: expect.stringContaining('This link does not work'),
    });
    expect(await look('https://app.example.com/callback')).toMatchObject({
      status: 303,
      location: expect.stringMatching(/^\/sign-in\?continue=/),
    });
  });

  it('are at least forty', () => {
    expect(new Set(craftedRedirectUris).size).toBeGreaterThanOrEqual(40);
  });
});

describe('a session', () => {
  it('cannot be fixed by planting a cookie', async () => {
    const user = await portal.account();
    const page = await portal.window();
    const planted = 'A'.repeat(43);
    const names = ['__Host-session', '__Host-sign-in'];
    // A peer on another port has the same cookies.
    const peer = await startSite({
      cookies: names.map((name) => `${name}=${planted}; Path=/; Secure`),
    });
    await page.goto(peer.url);
    expect((await page.context().cookies()).map(({ name }) => name).sort()).toEqual(names);
    await portal.signIn(page, user);
    const kept = await page.context().cookies();
    expect(kept.map(({ name, value }) => [name, value === planted]).sort()).toEqual([
      ['__Host-device', false],
      ['__Host-session', false],
    ]);
    const thief = await portal.window();
    await thief.goto(peer.url);
    await peer.close();
    await thief.goto(at('/account'));
    expect(new URL(thief.url()).pathname).toBe('/sign-in');
  });
});

describe('a name', () => {
  /** Together as long as a name may be. */
  const names = [
    [
      '<script>window.__xss = 1</script>',
      '"><img src=x onerror="window.__xss = 1">',
      "'><svg onload='window.__xss = 1'>",
      '</title><script>window.__xss = 1</script>',
    ],
    [
      '</textarea><iframe srcdoc="<script>parent.__xss = 1</script>">',
      '<a href="javascript:window.__xss = 1">click</a>',
      '{{constructor.constructor("window.__xss = 1")()}}',
      '<b style="background: url(https://evil.example)">bold</b>',
    ],
  ].map((payloads) => payloads.join(''));

  it.each(names)('is shown as text and not executed: %s', async (payload) => {
    const user = await portal.account({ first_name: payload, last_name: 'Lopez' });
    const { id, client_id } = await portal.application(user, callback, { name: payload });
    const page = await portal.window();
    const said: string[] = [];
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      said.push(dialog.message());
      return dialog.dismiss();
    });
    page.on('request', (request) =>
      asked.push(new URL(request.url()).protocol + new URL(request.url()).host),
    );
    await portal.signIn(page, user);
    await page.goto(portal.authorizeUrl(client_id, callback));
    await allow(page).waitFor();
    await expectHarmless(page, payload);
    await allow(page).click();
    await page.waitForURL((url) => url.href.startsWith(callback));
    for (const path of [
      '',
      '/security',
      '/applications',
      `/applications/${id}`,
      `/applications/${id}/remove`,
      '/connected-applications',
    ]) {
      await page.goto(at(`/account${path}`));
      await expectHarmless(page, payload);
    }
    await page.goto(at(`/account/applications/${id}`));
    await page.getByLabel('Name of a new token').fill(payload);
    await page.getByRole('button', { name: 'Create a token' }).click();
    await page.getByText('This is your new access token').waitFor();
    await expectHarmless(page, payload);
    expect(said).toEqual([]);
    const own = [at('/'), site.url].map((url) => new URL(url).protocol + new URL(url).host);
    expect(asked.filter((origin) => !own.includes(origin) && origin !== 'data:')).toEqual([]);
  });

  async function expectHarmless(page: Page, payload: string) {
    expect(await page.locator('main').textContent()).toContain(payload);
    expect(await page.evaluate('window.__xss')).toBeUndefined();
    // A page may have a script of its own, which copies.
    const scripts = await page.locator('script').allTextContents();
    expect(scripts.filter((text) => text.includes('__xss'))).toEqual([]);
    const harmful = 'img, svg, iframe, b, [onerror], [onload], [href^="javascript:"]';
    expect(await page.locator(harmful).count()).toBe(0);
  }
});

describe('a secret', () => {
  it('is sent to no other site and is in no log or event', async () => {
    const user = await portal.account();
    // By host name, because cookies do not distinguish the ports of a host.
    const elsewhere = `${site.foreignUrl}/callback`;
    const { client_id, client_secret, id } = await portal.application(user, elsewhere);
    const page = await portal.window();
    await portal.signIn(page, user);
    const cookies = await page.context().cookies();
    const [session, device] = ['__Host-session', '__Host-device'].map((name) =>
      cookies.find((cookie) => cookie.name === name),
    );
    await page.goto(portal.authorizeUrl(client_id, elsewhere, { state: 'canary-of-the-state' }));
    const formToken = await page.locator('main input[name=form_token]').last().inputValue();
    await allow(page).click();
    await page.waitForURL((url) => url.href.startsWith(elsewhere));
    const arrival = site.requests.at(-1);
    expect(arrival?.headers.referer).toBeUndefined();
    expect(arrival?.headers.cookie).toBeUndefined();
    const code = new URL(arrival?.path ?? '', site.url).searchParams.get('code');
    await page.goto(at(`/account/applications/${id}`));
    await page.getByLabel('Name of a new token').fill('Laptop');
    await page.getByRole('button', { name: 'Create a token' }).click();
    const token = await page.getByLabel('The access token', { exact: true }).textContent();
    const wrong = await portal.window();
    await wrong.goto(at('/sign-in'));
    await wrong.getByLabel('E-mail address').fill(user.email);
    await wrong.getByLabel('Password').fill('a canary of a wrong password');
    await wrong.getByRole('button', { name: 'Sign in' }).click();
    await wrong.getByRole('alert').waitFor();

    const secrets = [user.password, session?.value, device?.value, formToken, code, client_secret, token];
    const canaries = [...secrets, user.email, 'canary-of-the-state', 'a canary of a wrong password'];
    const written = JSON.stringify([await system.logs(), await system.published('identity')]);
    expect(written).toContain('POST');
    for (const canary of canaries) {
      expect(canary).toMatch(/.{8,}/);
      expect(written).not.toContain(canary);
    }
  });

  it('is in no cache, because no page may be stored', async () => {
    const page = await portal.window();
    await portal.signIn(page, await portal.account());
    for (const path of [
      '/account',
      '/account/security',
      '/account/applications',
      '/account/connected-applications',
      '/sign-in',
    ]) {
      const answer = await page.request.get(at(path), { maxRedirects: 0 });
      expect(answer.headers()).toMatchObject({
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-frame-options': 'DENY',
        'x-content-type-options': 'nosniff',
      });
      expect(answer.headers()['access-control-allow-origin']).toBeUndefined();
      expect(answer.headers()['content-security-policy']).toContain("frame-ancestors 'none'");
    }
  });
});
