import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { promisify } from 'node:util';
import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { approvingUser, redirectUri } from './oauth/approving-user.ts';
import { fillSignIn, openPortal, verifier } from './pages/portal.ts';
import { follow, scriptsIn } from './site/guide.ts';

const portal = await openPortal();
afterAll(portal.close);
const { at, system } = portal;

/** What a page loads from elsewhere, and what the browser reports about it. */
function watch(page: Page): readonly string[] {
  const found: string[] = [];
  page.context().on('request', (request) => {
    const url = request.url();
    if (/^https?:/.test(url) && !url.startsWith(system.url)) found.push(url);
  });
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) found.push(message.text());
  });
  page.on('pageerror', ({ message }) => found.push(message));
  return found;
}

async function violationsOn(page: Page, rule?: string) {
  // The pages have no frames, and this mode opens no page of its own each time.
  const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).setLegacyMode();
  const checked = rule
    ? axe.withRules(rule)
    : axe.withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice']);
  const { violations } = await checked.analyze();
  return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
}

describe('somebody who has only the front page', () => {
  it('registers an application, signs in, and fixes a call in the reference that is refused, by what is shown', async () => {
    const user = await portal.account();
    const page = await portal.window({ permissions: ['clipboard-read', 'clipboard-write'] });
    const found = watch(page);
    await page.goto(at('/'));
    await page.getByRole('link', { name: /^Your account/ }).click();
    await fillSignIn(page, user);
    await registerForReference(page);
    await page.getByRole('navigation').getByRole('link', { name: 'API reference' }).click();
    await signInToReference(page);
    await page.getByRole('link', { name: 'Contacts', exact: true }).click();
    await page.getByRole('link', { name: 'Add a contact' }).click();
    await page.getByRole('heading', { name: 'Add a contact' }).waitFor();
    await page.getByRole('button', { name: 'curl' }).nth(1).click();
    expect(await page.getByRole('option').allTextContents()).toEqual(['curl', 'TypeScript', 'Python']);
    await page.getByRole('option', { name: 'TypeScript' }).click();
    await page.getByText('await crm.contacts.create({').waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await violationsOn(page, 'color-contrast')).toEqual([]);
    await page.getByRole('button', { name: /Test Request.*post \/contacts\)/ }).click();

    const client = page.getByRole('dialog');
    const send = async (body: string) => {
      await client.getByRole('textbox').filter({ hasText: 'first_name' }).first().click();
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.insertText(body);
      await page.getByRole('button', { name: /^Send post request/ }).click();
    };
    await send('{ "first_name": "Ada", "hotness_id": 2147483647 }');
    await client.getByRole('link', { name: '400 Bad Request' }).waitFor();
    const opened = page.waitForEvent('popup');
    await client.getByRole('link', { name: 'How to fix this error' }).click();
    const guide = await opened;
    const entry = guide.locator(':target');
    await entry.filter({ hasText: /^unknown_record$/ }).waitFor();
    await guide.getByText('Fix:').first().waitFor();
    await guide.close();
    await send('{ "first_name": "Ada" }');
    await client.getByRole('link', { name: '201 Created' }).waitFor();
    await client.getByRole('link', { name: 'How to fix this error' }).waitFor({ state: 'detached' });
    expect(
      await system.rows('contacts', 'select first_name from contacts where owner_user_id = $1', [user.id]),
    ).toEqual([{ first_name: 'Ada' }]);
    // The browser reports the refused request as well.
    expect(found.filter((line) => !line.includes('status of 400'))).toEqual([]);
  });

  /** On the pages of the account, and leaves the client id in the clipboard. */
  async function registerForReference(page: Page) {
    const copy = async (text: string) => {
      await page.getByRole('button', { name: `Copy the ${text}` }).click();
      await page.getByText('Copied.').waitFor();
    };
    await page.getByRole('link', { name: 'Applications', exact: true }).click();
    await page.getByText('To send requests from the API reference').click();
    await copy('redirect URI of the API reference');
    await page.getByLabel('Redirect URIs').click();
    await page.keyboard.press('ControlOrMeta+V');
    await page.getByLabel('Name').fill('Mine');
    await page.getByLabel('It cannot keep a secret').check();
    await page.getByRole('button', { name: 'Register' }).click();
    await copy('client id');
  }

  /** With the client id in the clipboard. */
  async function signInToReference(page: Page) {
    await page
      .getByRole('button', { name: /Auth Type/ })
      .first()
      .click();
    await page.getByRole('option', { name: 'accessToken' }).click();
    await page.getByRole('option', { name: 'oauth' }).click();
    await page.getByRole('heading', { name: 'CRM API' }).click();
    await page.getByRole('combobox', { name: 'Client ID' }).first().click();
    await page.keyboard.press('ControlOrMeta+V');
    await page.keyboard.press('Tab');
    await page.getByRole('button', { name: 'Select All' }).click();
    const opened = page.waitForEvent('popup');
    await page.getByRole('button', { name: 'Authorize', exact: true }).click();
    const popup = await opened;
    const closed = popup.waitForEvent('close');
    await popup.getByRole('button', { name: 'Allow', exact: true }).click();
    await closed;
  }
});

describe('the front page', () => {
  it('is accessible in both color schemes and fits a small screen', async () => {
    const page = await portal.window({ viewport: { width: 320, height: 640 } });
    const found = watch(page);
    await page.goto(at('/'));
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await violationsOn(page), colorScheme).toEqual([]);
    }
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    expect(found).toEqual([]);
  });
});

describe('the guides', () => {
  /** What an application has when a user who approved it comes back. */
  async function approval() {
    const user = await approvingUser(system);
    const { client_id } = await portal.application(user, redirectUri, { is_public: true });
    const back = await user.allow(portal.authorizeUrl(client_id, redirectUri));
    const CODE = back.searchParams.get('code') ?? expect.fail(back.href);
    const given = { CODE, CLIENT_ID: client_id, REDIRECT_URI: redirectUri, CODE_VERIFIER: verifier };
    return { id: user.id, given };
  }

  const files = readdirSync(new URL('../docs/guides', import.meta.url));

  it('are all listed', async () => {
    const index = await (await fetch(at('/llms.txt'))).text();
    const names = [...index.matchAll(/\(\/guides\/([\w-]+\.md)\)/g)].map(([, name]) => name);
    expect(names.sort()).toEqual(files.sort());
  });

  it.each(files)('show requests that work, and are accessible pages: %s', async (file) => {
    const guide = await (await fetch(at(`/guides/${file}`))).text();
    const person = await system.person();
    expect(await follow(guide, person)).toBeGreaterThan(2);
    for (const script of scriptsIn(guide)) {
      const { id, given } = script.includes('$CODE') ? await approval() : { id: person.id, given: {} };
      const env = { PATH: process.env.PATH, URL: system.url, TOKEN: person.token, ...given };
      const { stdout } = await promisify(execFile)('sh', ['-ec', script], { env });
      expect(JSON.parse(stdout)).toMatchObject({ id });
    }
    const page = await portal.window({ viewport: { width: 320, height: 640 } });
    await page.goto(at(`/guides/${file.replace('.md', '')}`));
    expect(await violationsOn(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    const links = await page
      .locator('a[href^="/"]')
      .evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''));
    for (const link of links) {
      const { status } = await fetch(at(link), { headers: { accept: 'text/html' } });
      expect([link, status]).toEqual([link, 200]);
    }
  });
});
