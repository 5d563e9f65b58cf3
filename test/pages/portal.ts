import { hash, randomBytes } from 'node:crypto';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { until } from '../system/until.ts';
import { type System, startSystem } from '../system.ts';
import { startBrowser } from './browser.ts';

export interface Account {
  readonly id: number;
  readonly email: string;
  readonly password: string;
}

interface Names {
  readonly first_name?: string;
  readonly last_name?: string;
}

/** The system and a browser in front of its pages. */
export async function openPortal() {
  const system = await startSystem('together');
  const browser = await startBrowser();
  const at = (path: string) => new URL(path, system.url).href;
  let accounts = 0;

  return {
    system,
    browser,
    at,
    account: (names: Names = {}): Promise<Account> => {
      accounts += 1;
      return addAccount(system, `person${accounts}@example.com`, names);
    },
    application: (owner: Account, redirectUri: string, facts: { name?: string; is_public?: boolean } = {}) =>
      system.operator.applications.create({
        owner: owner.id,
        name: 'Open House Planner',
        redirect_uris: [redirectUri],
        ...facts,
      }),
    /** A window of a new browser profile. */
    async window(options: BrowserContextOptions = {}): Promise<Page> {
      return (await browser.newContext(options)).newPage();
    },
    async signIn(page: Page, { email, password }: Account): Promise<void> {
      await page.goto(at('/sign-in'));
      await fillSignIn(page, { email, password });
      await page.waitForURL(at('/account'));
    },
    /** Asks for a link to a new password, and returns its path from the e-mail. */
    async resetPath(page: Page, email: string): Promise<string> {
      await page.goto(at('/sign-in'));
      await page.getByRole('link', { name: 'Forgot your password?' }).click();
      await page.getByLabel('E-mail address').fill(email);
      await page.getByRole('button', { name: 'Send the link' }).click();
      await page.getByText('Check your e-mail').waitFor();
      const linkIn = async () => {
        const mails = (await system.carriers.mail.mails()).filter(({ to }) => String(to).includes(email));
        return mails.flatMap(({ text }) => /\/reset-password\/[\w-]+/.exec(text ?? '')?.[0] ?? [])[0];
      };
      return until(linkIn);
    },
    /** Where an application sends its users, with PKCE as a native application needs it. */
    authorizeUrl: (...given: Parameters<typeof authorizeQuery>): string =>
      at(`/oauth2/authorize?${authorizeQuery(...given)}`),
    async close() {
      await browser.close();
      await system.stop();
    },
  };
}

async function addAccount({ operator }: System, email: string, names: Names): Promise<Account> {
  const password = randomBytes(12).toString('base64url');
  const person = { first_name: 'Maria', last_name: 'Lopez', ...names };
  const { id } = await operator.users.create({ email, password, ...person });
  return { id, email, password };
}

function authorizeQuery(clientId: string, redirectUri: string, more: Readonly<Record<string, string>> = {}) {
  return new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: 'write',
    code_challenge: hash('sha256', verifier, 'base64url'),
    code_challenge_method: 'S256',
    ...more,
  });
}

/** The PKCE verifier, which no test tries to guess. */
export const verifier = 'v'.repeat(43);

export async function fillSignIn(page: Page, { email, password }: Pick<Account, 'email' | 'password'>) {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}
