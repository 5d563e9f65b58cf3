import AxeBuilder from '@axe-core/playwright';
import { absent } from '@crm/testing';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { startSite } from './pages/listening.ts';
import { startMessages } from './pages/messages.ts';
import { openPortal } from './pages/portal.ts';
import { agencyIn } from './system/agency.ts';
import { made } from './system/made.ts';
import { until } from './system/until.ts';

const portal = await openPortal();
afterAll(portal.close);
const { at, system } = portal;
const site = await startSite();
afterAll(site.close);
const messages = await startMessages();
afterAll(messages.close);
const callback = `${site.url}/callback`;

const allow = (page: Page) => page.getByRole('button', { name: 'Allow', exact: true });
const arrived = (page: Page) => page.waitForURL((url) => url.href.startsWith(callback));

/** The path of the page of a lead, from the e-mail about it; empty before it has arrived. */
function linkOf(mails: readonly { readonly text: string | undefined }[], lead: number): string {
  const mail = mails.find(({ text }) => text?.includes(`Lead: ${lead}\n`));
  return /\/claim\/[\w-]+/.exec(mail?.text ?? '')?.[0] ?? '';
}

const invitationIn = (
  mails: readonly { readonly to: readonly string[]; readonly text: string | undefined }[],
) => {
  const mail = mails.find(({ to }) => to.includes('invited@example.com'));
  return /\/reset-password\/[\w-]+/.exec(mail?.text ?? '')?.[0] ?? '';
};

const viewport = { width: 320, height: 640 };

type Violations = Awaited<ReturnType<AxeBuilder['analyze']>>['violations'];

/** In the mode without support for frames, which the pages do not have: it opens no page of its own each time. */
const violationsOn = async (page: Page, tags: string[]) => {
  const { violations } = await new AxeBuilder({ page })
    .options({ resultTypes: ['violations'] })
    .withTags(tags)
    .setLegacyMode()
    .analyze();
  return named(violations);
};

/** Of the colors alone, with the axe that is in the page since its other violations were looked for. */
const contrastViolationsOn = async (page: Page) => {
  const { violations } = await page.evaluate<{ readonly violations: Violations }>(
    "axe.run({ runOnly: ['color-contrast'], resultTypes: ['violations'] })",
  );
  return named(violations);
};

const named = (violations: Violations) =>
  violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);

describe('every page', async () => {
  const user = await portal.account();
  const { id, client_id } = await portal.application(user, callback, { name: 'x'.repeat(255) });
  const signedIn = await portal.window({ viewport });
  await portal.signIn(signedIn, user);
  const stranger = await portal.window({ viewport });
  const press = (name: string) => (page: Page) => page.getByRole('button', { name }).click();
  const saveInvalidPhone = async (page: Page) => {
    await page.getByLabel('Phone number').fill('12');
    await press('Save')(page);
  };
  const other = await portal.account();
  await system.rows('identity', "update users set pending_phone = '+14155552671' where id = $1", [other.id]);
  const waiting = await portal.window({ viewport });
  await portal.signIn(waiting, other);
  const broker = await portal.account();
  await system.operator.users.change({ user: broker.id, is_broker: true });
  const inviting = await portal.window({ viewport });
  await portal.signIn(inviting, broker);
  const inviteUser = async (page: Page) => {
    await page.getByLabel('E-mail address of the user').fill(user.email);
    await press('Invite')(page);
  };
  const text = `First Name,${'x'.repeat(255)},Email\nAda,${'y '.repeat(100)},ada@example.com\nBen,,no\n`;
  const file = { name: `${'x'.repeat(240)}.csv`, mimeType: 'text/csv', buffer: Buffer.from(text) };
  const sendFile = async (page: Page) => {
    await page.getByLabel('The file').setInputFiles(file);
    await press('Send the file')(page);
    await page.getByText('What the columns mean').waitFor();
  };
  const sendFileTwice = async (page: Page) => {
    await sendFile(page);
    await page.getByLabel('Email').selectOption({ label: 'First name' });
    await press('Try it first')(page);
  };
  const tryFile = async (page: Page) => {
    await sendFile(page);
    await press('Try it first')(page);
    await page.getByText('This is what an import would do now').waitFor();
  };
  const importFile = async (page: Page) => {
    await sendFile(page);
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('The import is done').waitFor();
  };
  const cancelFile = async (page: Page) => {
    await sendFile(page);
    await press('Do not import this file')(page);
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
    return until(async () => linkOf(await mails.mails(), lead));
  };
  const [offered, claimed, declined] = [await offeredLead(), await offeredLead(), await offeredLead()];

  const [paused] = await system.rows(
    'contacts',
    `with pause as (insert into text_pauses (number, paused_at) values ('+16045559803', now()))
     insert into contacts (owner_user_id, first_name, mobile_phone, mobile_phone_e164, created_at, modified_at)
     values ($1::int, $2, '+16045559803', '+16045559803', now(), now()) returning id`,
    [user.id, 'x'.repeat(255)],
  );
  await system.rows(
    'scheduling',
    `with pause as (insert into text_pauses (number, paused_at) values ('+16045559803', now()))
     insert into inbound_texts (id, from_number, body, meaning, is_answered, received_at, is_claim, settled_at, contact_id)
     values ('pausing', '+16045559803', $1, 'pause', false, now(), false, now(), $2::int)`,
    ['x'.repeat(1600), paused?.id],
  );

  await system.rows('identity', "update users set phone = '+14155552672' where id = $1", [broker.id]);
  await system.rows(
    'identity',
    `insert into unreachable_addresses (address, why, noted_at)
     values ($1, 'unreachable', now()), ('+14155552672', 'opted out', now())`,
    [broker.email],
  );

  const resetPath = await portal.resetPath(stranger, other.email);
  await system.operator.users.create({ email: 'invited@example.com', invite: true });
  const welcomePath = await until(async () => invitationIn(await system.carriers.mail.mails()));
  for (const name of ['North', 'x'.repeat(255)]) {
    const { id: team_id } = await made(anna, '/teams', { name });
    await system.operator.teamMembers.invite({ team_id, user_id: user.id });
  }

  const pages: readonly [string, Page, string, ((page: Page) => Promise<void>)?][] = [
    ['sign in', stranger, '/sign-in'],
    ['sign in with errors', stranger, '/sign-in', press('Sign in')],
    ['a link that does not work', stranger, '/oauth2/authorize?client_id=unknown'],
    ['consent', signedIn, portal.authorizeUrl(client_id, callback)],
    ['account', signedIn, '/account'],
    ['account with errors', signedIn, '/account', saveInvalidPhone],
    ['account with a number to confirm', waiting, '/account'],
    ['account with a wrong code', waiting, '/account', press('Confirm')],
    ['an account that alerts do not reach', inviting, '/account'],
    ['security', signedIn, '/account/security'],
    ['security with errors', signedIn, '/account/security', press('Change the password')],
    ['a forgotten password with errors', stranger, '/forgotten-password', press('Send the link')],
    ['a new password with errors', stranger, resetPath, press('Change the password')],
    ['an invitation to the system', stranger, welcomePath],
    ['an invitation to the system with errors', stranger, welcomePath, press('Create the account')],
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
    ['teams', signedIn, '/account/teams'],
    ['a team that was joined', signedIn, '/account/teams', press('Accept the invitation to North')],
    ['the messages of campaigns', signedIn, '/account/sending'],
    ['stopped messages of campaigns', signedIn, '/account/sending', press('Stop sending')],
    ['paused texts', signedIn, '/account/paused-texts'],
    ['texts of which one was ended', signedIn, '/account/paused-texts', press('End the texts')],
    ['imports', signedIn, '/account/import'],
    ['the columns of a file', signedIn, '/account/import', sendFile],
    ['columns with errors', signedIn, '/account/import', sendFileTwice],
    ['a trial of an import', signedIn, '/account/import', tryFile],
    ['an import that has ended', signedIn, '/account/import', importFile],
    ['an import that is canceled', signedIn, '/account/import', cancelFile],
    ['an import that does not exist', signedIn, `/account/import/${absent}`],
    ['nothing', signedIn, `/account/applications/${absent}`],
    ['an offered lead', stranger, offered],
    ['a claimed lead', stranger, claimed, press('Claim this lead')],
    ['a declined lead', stranger, declined, press('Decline')],
    ['a lead that does not exist', stranger, '/claim/x'],
    ['messages that were sent on one machine', stranger, messages.url],
  ];

  it.each(pages)(
    'is accessible in light and dark colors, and fits small and large screens: %s',
    async (_, page, path, act) => {
      await page.emulateMedia({ colorScheme: 'light' });
      await page.setViewportSize(viewport);
      await page.goto(at(path));
      await act?.(page);
      await page.waitForLoadState();
      const tags = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'];
      expect(await violationsOn(page, tags)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(viewport.width);
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
      await page.setViewportSize({ width: 1280, height: 800 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(1280);
      // The rest is the same in other colors.
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.evaluate('Promise.all(document.getAnimations().map(({ finished }) => finished))');
      expect(await contrastViolationsOn(page)).toEqual([]);
    },
  );
});
