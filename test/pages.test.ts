import type { Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { startSite } from './pages/listening.ts';
import { type Account, fillSignIn, openPortal, verifier } from './pages/portal.ts';
import { until } from './system/until.ts';

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
    const client_secret = await page.getByLabel('The client secret', { exact: true }).textContent();
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
    page.setDefaultTimeout(60_000);
    await page.goto(at('/account/sending'));
    await fillSignIn(page, user);
    await page.getByText('Messages are sent.').waitFor();
    await page.getByRole('button', { name: 'Stop sending' }).click();
    await page.getByText('Stopped since').waitFor();
    expect(await pauses()).toContain(user.id);
    await page.getByRole('link', { name: 'Back to your account' }).click();
    await page.getByRole('link', { name: 'Campaign messages' }).click();
    await page.getByRole('button', { name: 'Resume sending' }).click();
    await page.getByText('Messages are sent.').waitFor();
    expect(await pauses()).not.toContain(user.id);

    await page.getByRole('button', { name: 'Stop sending' }).click();
    await system.scheduling.sendingPauses.add({ user_id: user.id });
    await page.reload();
    await page.getByText('The operator stopped your messages on').waitFor();
    await page.getByRole('button', { name: 'Resume sending' }).click();
    await page.getByText('Messages are stopped by the operator').waitFor();
    expect(await pauses()).toContain(user.id);
    await system.scheduling.sendingPauses.remove({ user_id: user.id });

    const headers = { 'sec-fetch-site': 'same-origin' };
    const form = { sending: 'stop', form_token: 'another' };
    expect((await page.request.post(at('/account/sending'), { form, headers })).status()).toBe(403);
    expect(await pauses()).not.toContain(user.id);
  });
});

describe('texts to a contact who asked to be left alone', () => {
  const open = () => system.rows('scheduling', 'select number from text_pauses where ended_at is null');

  /** A contact asks to be left alone; returns its id and the link in the alert to its owner. */
  async function asks(owner: Account, first_name: string, number: string, words: string) {
    const [contact] = await system.rows(
      'contacts',
      `insert into contacts (owner_user_id, first_name, mobile_phone, mobile_phone_e164, created_at, modified_at)
       values ($1::int, $2, $3, $3, now(), now()) returning id`,
      [owner.id, first_name, number],
    );
    await system.carriers.carrier.reply(number, words);
    const alerts = async () =>
      (await system.carriers.mail.mails()).filter(({ text }) => text?.includes(words));
    const link = async () => /\S+\/account\/paused-texts/.exec((await alerts())[0]?.text ?? '')?.[0];
    return { id: String(contact?.id), link: await until(link) };
  }

  it('continue or end as its owner decides on the page that the alert leads to, without scripts', async () => {
    const owner = await portal.account();
    const { id, link } = await asks(owner, 'Carla', '+16045559801', 'Please stop texting me');
    await asks(owner, 'Dora', '+16045559802', 'Take me off your list');
    const stranger = await portal.window({ javaScriptEnabled: false });
    await portal.signIn(stranger, await portal.account());
    await stranger.goto(link);
    await stranger.getByText('No contact is waiting').waitFor();

    const page = await portal.window({ javaScriptEnabled: false });
    await page.goto(link);
    await fillSignIn(page, owner);
    await page.getByText('Please stop texting me').waitFor();
    await page.getByRole('button', { name: 'End the texts to Dora' }).click();
    await page.getByText('The number gets no more texts').waitFor();
    expect(await system.rows('contacts', 'select destination from opt_outs')).toContainEqual({
      destination: '+16045559802',
    });
    const form_token = await page.locator('[name=form_token]').first().inputValue();
    const headers = { 'sec-fetch-site': 'same-origin' };
    const attempt = { form: { form_token, contact_id: id, texts: 'continue' }, headers };
    expect((await stranger.request.post(link, attempt)).status()).toBe(403);
    expect(await open()).toEqual([{ number: '+16045559801' }]);
    await page.getByRole('button', { name: 'Continue the texts to Carla' }).click();
    await page.getByText('The texts continue.').waitFor();
    await page.getByText('No contact is waiting').waitFor();
    expect(await open()).toEqual([]);
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
