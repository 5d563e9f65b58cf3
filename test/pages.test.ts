import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { startSite } from './pages/listening.ts';
import { fillSignIn, openPortal, verifier } from './pages/portal.ts';
import { agencyIn, made } from './system/agency.ts';

const portal = await openPortal();
afterAll(portal.close);
const { at, system } = portal;
const site = await startSite();
afterAll(site.close);
const callback = `${site.url}/callback`;

const lastRequest = () => new URL(site.requests.at(-1)?.path ?? '', site.url);
const allow = (page: Page) => page.getByRole('button', { name: 'Allow', exact: true });
const arrived = (page: Page) => page.waitForURL((url) => url.href.startsWith(callback));

describe('an application', () => {
  it('is registered, approved by a user who signs in, and gets a code that it can exchange for a token', async () => {
    const owner = await portal.account();
    const page = await portal.window();
    await portal.signIn(page, owner);
    await page.getByRole('link', { name: 'Your applications' }).click();
    await page.getByLabel('Name').fill('Open House Planner');
    await page.getByLabel('Redirect URIs').fill(callback);
    await page.getByRole('button', { name: 'Register' }).click();
    const client_secret = await page.getByLabel('Client secret').textContent();
    const client_id = (await page.locator('dd code').first().textContent()) ?? '';
    expect(client_secret).toMatch(/^crm_cs_/);

    const user = await portal.account({ first_name: 'Bo', last_name: 'Li' });
    const other = await portal.window();
    const state = 'a state with <everything> & more';
    await other.goto(portal.authorizeUrl(client_id, callback, { state }));
    await fillSignIn(other, user);
    await allow(other).waitFor();
    const text = await other.locator('main').textContent();
    for (const shown of ['Open House Planner', new URL(site.url).host, 'Bo Li', user.email, 'on your behalf'])
      expect(text).toContain(shown);
    await allow(other).click();
    await arrived(other);
    const { searchParams } = lastRequest();
    expect([searchParams.get('state'), searchParams.get('iss')]).toEqual([state, system.url]);

    const answer = await fetch(at('/oauth2/token'), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        grant_type: 'authorization_code',
        code: searchParams.get('code'),
        redirect_uri: callback,
        client_id,
        client_secret,
        code_verifier: verifier,
      }),
    });
    const { access_token } = (await answer.json()) as { access_token: string };
    expect(await system.as(access_token).get('/me')).toMatchObject({ status: 200, body: { id: user.id } });
  });

  it('needs no second approval, even if the user has to sign in first, until the approval is withdrawn', async () => {
    const user = await portal.account();
    const { client_id } = await portal.application(user, callback, { name: 'Asked Once' });
    const page = await portal.window();
    await page.goto(portal.authorizeUrl(client_id, callback));
    await fillSignIn(page, user);
    await allow(page).click();
    await arrived(page);
    const again = await portal.window();
    await again.goto(portal.authorizeUrl(client_id, callback));
    await fillSignIn(again, user);
    await arrived(again);
    expect(lastRequest().searchParams.get('code')).toMatch(/^crm_ac_/);

    await again.goto(at('/account/connected-applications'));
    await again.getByRole('button', { name: 'Withdraw the access of Asked Once' }).click();
    await again.getByText('No application can use your account.').waitFor();
    await again.goto(portal.authorizeUrl(client_id, callback));
    await allow(again).waitFor();
  });

  it('is informed that it was denied, with its state', async () => {
    const user = await portal.account();
    const { client_id } = await portal.application(user, callback);
    const page = await portal.window();
    await portal.signIn(page, user);
    await page.goto(portal.authorizeUrl(client_id, callback, { state: 'mine' }));
    await page.getByRole('button', { name: 'Deny' }).click();
    await arrived(page);
    const { searchParams } = lastRequest();
    expect([searchParams.get('error'), searchParams.get('state'), searchParams.get('code')]).toEqual([
      'access_denied',
      'mine',
      null,
    ]);
    expect(await system.rows('identity', 'select from consents where user_id = $1', [user.id])).toEqual([]);
  });

  it('can be approved with another account than the one that is signed in', async () => {
    const [first, second] = [await portal.account(), await portal.account({ first_name: 'Second' })];
    const { client_id, id } = await portal.application(first, callback);
    const page = await portal.window();
    await portal.signIn(page, first);
    await page.goto(portal.authorizeUrl(client_id, callback));
    await page.getByRole('button', { name: 'Use another account' }).click();
    await fillSignIn(page, second);
    await page.getByText(second.email).waitFor();
    await allow(page).click();
    await arrived(page);
    const consents = await system.rows('identity', 'select user_id from consents where application_id = $1', [
      id,
    ]);
    expect(consents).toEqual([{ user_id: second.id }]);
  });
});

describe('the messages of campaigns', () => {
  const pauses = async () => (await system.scheduling.sendingPauses.find({})).map(({ user_id }) => user_id);

  it('are stopped and resumed by the user who signs in, without scripts, and by no form of another session', async () => {
    const user = await portal.account();
    const page = await portal.window({ javaScriptEnabled: false });
    page.setDefaultTimeout(8_000);
    await page.goto(at('/account/sending'));
    await fillSignIn(page, user);
    await page.getByText('Messages are sent.').waitFor();
    await page.getByRole('button', { name: 'Stop sending' }).click();
    await page.getByText('Stopped since').waitFor();
    expect(await pauses()).toContain(user.id);
    await page.getByRole('link', { name: 'Back to your account' }).click();
    await page.getByRole('link', { name: 'Messages of campaigns' }).click();
    await page.getByRole('button', { name: 'Resume sending' }).click();
    await page.getByText('Messages are sent.').waitFor();
    expect(await pauses()).not.toContain(user.id);

    const headers = { 'sec-fetch-site': 'same-origin' };
    const form = { sending: 'stop', form_token: 'another' };
    expect((await page.request.post(at('/account/sending'), { form, headers })).status()).toBe(403);
    expect(await pauses()).not.toContain(user.id);
  });
});

describe('a browser', () => {
  it('can do everything with the keyboard', async () => {
    const user = await portal.account();
    const { client_id } = await portal.application(user, callback);
    const page = await portal.window();
    const focused = () => page.locator(':focus');
    const tabTo = async (name: string) => {
      for (let presses = 0; presses < 12; presses++) {
        await page.keyboard.press('Tab');
        const [label, outline] = await page.evaluate<[string, string]>(`[
          (document.activeElement.labels?.[0] ?? document.activeElement).textContent.trim(),
          getComputedStyle(document.activeElement).outlineStyle,
        ]`);
        // The focus is always visible.
        expect([label, outline]).toEqual([label, 'solid']);
        if (label === name) return;
      }
      throw new Error(`The keyboard does not reach "${name}".`);
    };
    await page.goto(portal.authorizeUrl(client_id, callback));
    await page.keyboard.press('Tab');
    expect(await focused().textContent()).toBe('Skip to content');
    await tabTo('E-mail address');
    await page.keyboard.type(user.email);
    await tabTo('Password');
    await page.keyboard.type(user.password);
    await page.keyboard.press('Enter');
    await allow(page).waitFor();
    await tabTo('Allow');
    await page.keyboard.press('Enter');
    await arrived(page);
    expect(lastRequest().searchParams.get('code')).toMatch(/^crm_ac_/);
  });

  it('chooses a new password with a link, and signs in with it', async () => {
    const user = await portal.account();
    const page = await portal.window();
    await page.goto(at(await portal.resetPath(page, user.email)));
    await page.getByLabel('New password').fill('another password');
    await page.getByRole('button', { name: 'Change the password' }).click();
    await fillSignIn(page, { ...user, password: 'another password' });
    await page.waitForURL(at('/account'));
  });

  it('shows nothing of an account after the user has signed out, not even with the back button', async () => {
    const user = await portal.account();
    const page = await portal.window();
    await portal.signIn(page, user);
    await page.goto(at('/account/applications'));
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are signed out.').waitFor();
    for (let steps = 0; steps < 2; steps++) {
      await page.goBack();
      expect(new URL(page.url()).pathname).toBe('/sign-in');
      expect(await page.content()).not.toContain(user.email);
    }
  });

  it('stores only the session and what it is recognized by, out of reach of scripts', async () => {
    const page = await portal.window();
    await portal.signIn(page, await portal.account());
    const cookies = await page.context().cookies();
    const attributes = { httpOnly: true, secure: true, sameSite: 'Lax', path: '/' };
    expect(cookies.sort((a, b) => a.name.localeCompare(b.name))).toMatchObject([
      { name: '__Host-device', ...attributes },
      { name: '__Host-session', ...attributes, expires: -1 },
    ]);
    expect(await page.evaluate('document.cookie + localStorage.length + sessionStorage.length')).toBe('00');
  });
});

/** The path of the page of a lead, from the e-mail about it; empty before it has arrived. */
function linkOf(mails: readonly { readonly text: string | undefined }[], lead: number): string {
  const mail = mails.find(({ text }) => text?.includes(`Lead: ${lead}\n`));
  return /\/claim\/[\w-]+/.exec(mail?.text ?? '')?.[0] ?? '';
}

describe.each(['light', 'dark'] as const)('in %s colours, every page', async (colorScheme) => {
  const user = await portal.account();
  const { id, client_id } = await portal.application(user, callback, { name: 'x'.repeat(255) });
  const signedIn = await portal.window({ colorScheme, viewport: { width: 320, height: 640 } });
  await portal.signIn(signedIn, user);
  const stranger = await portal.window({ colorScheme, viewport: { width: 320, height: 640 } });
  const press = (name: string) => (page: Page) => page.getByRole('button', { name }).click();
  const saveInvalidPhone = async (page: Page) => {
    await page.getByLabel('Phone number').fill('12');
    await press('Save')(page);
  };
  const other = await portal.account();
  await system.rows('identity', "update users set pending_phone = '+14155552671' where id = $1", [other.id]);
  const waiting = await portal.window({ colorScheme, viewport: { width: 320, height: 640 } });
  await portal.signIn(waiting, other);
  const broker = await portal.account();
  await system.operator.users.change({ user: broker.id, is_broker: true });
  const inviting = await portal.window({ colorScheme, viewport: { width: 320, height: 640 } });
  await portal.signIn(inviting, broker);
  const inviteUser = async (page: Page) => {
    await page.getByLabel('E-mail address of the user').fill(user.email);
    await press('Invite')(page);
  };
  const connected = await portal.application(user, callback, { name: 'Connected' });
  await signedIn.goto(portal.authorizeUrl(connected.client_id, callback));
  await allow(signedIn).click();
  await arrived(signedIn);

  const { anna, contact_id, source_id } = await agencyIn(system)();
  const offeredLead = async () => {
    const facts = {
      text_body: 'Is it free?\n'.repeat(3),
      listing_price: '450000',
      street_address: 'x'.repeat(255),
    };
    const { id: lead } = await made(anna, '/leads', { contact_id, source_id, ...facts });
    await anna.api.post(`/leads/${lead}/offers`, {});
    const mails = system.carriers.mail;
    return vi.waitUntil(() => linkOf(mails.mails(), lead), { timeout: 15_000 });
  };
  const [offered, claimed, declined] = [await offeredLead(), await offeredLead(), await offeredLead()];

  const resetPath = await portal.resetPath(stranger, other.email);

  const pages: readonly [string, Page, string, ((page: Page) => Promise<void>)?][] = [
    ['sign in', stranger, '/sign-in'],
    ['sign in with errors', stranger, '/sign-in', press('Sign in')],
    ['a link that does not work', stranger, '/oauth2/authorize?client_id=unknown'],
    ['consent', signedIn, portal.authorizeUrl(client_id, callback)],
    ['account', signedIn, '/account'],
    ['account with errors', signedIn, '/account', saveInvalidPhone],
    ['account with a number to confirm', waiting, '/account'],
    ['account with a wrong code', waiting, '/account', press('Confirm')],
    ['security', signedIn, '/account/security'],
    ['security with errors', signedIn, '/account/security', press('Change the password')],
    ['a forgotten password with errors', stranger, '/forgotten-password', press('Send the link')],
    ['a new password with errors', stranger, resetPath, press('Change the password')],
    ['connected applications', signedIn, '/account/connected-applications'],
    ['applications', signedIn, '/account/applications'],
    ['applications with errors', signedIn, '/account/applications', press('Register')],
    ['an application', signedIn, `/account/applications/${id}`],
    ['a new secret', signedIn, `/account/applications/${id}`, press('Create a new secret')],
    ['a token without a name', signedIn, `/account/applications/${id}`, press('Create a token')],
    ['removal', signedIn, `/account/applications/${id}/remove`],
    ['sub-accounts', inviting, '/account/sub-accounts', inviteUser],
    ['sub-accounts with errors', inviting, '/account/sub-accounts', press('Invite')],
    ['an invitation', signedIn, '/account/brokers'],
    ['an invitation without a password', signedIn, '/account/brokers', press('to act for you')],
    ['the messages of campaigns', signedIn, '/account/sending'],
    ['stopped messages of campaigns', signedIn, '/account/sending', press('Stop sending')],
    ['nothing', signedIn, '/account/applications/2147483000'],
    ['an offered lead', stranger, offered],
    ['a claimed lead', stranger, claimed, press('Claim this lead')],
    ['a declined lead', stranger, declined, press('Decline')],
    ['a lead that does not exist', stranger, '/claim/x'],
  ];

  it.each(pages)('is accessible and fits a small screen: %s', async (_, page, path, act) => {
    await page.goto(at(path));
    await act?.(page);
    await page.waitForLoadState();
    const { violations } = await new AxeBuilder({ page })
      .withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'])
      .analyze();
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    const small = await page
      .locator(
        'button:visible, .button:visible, nav a:visible, select, input:not([type=hidden], [type=checkbox], [type=radio])',
      )
      .evaluateAll((elements) =>
        elements
          .filter((element) => element.getBoundingClientRect().height < 44)
          .map((element) => element.outerHTML),
      );
    expect(small).toEqual([]);
  });
});
