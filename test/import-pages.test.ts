import { readFile } from 'node:fs/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { fillSignIn, openPortal } from './pages/portal.ts';

const portal = await openPortal();
afterAll(portal.close);
const { at, system } = portal;

describe('contacts from a file', () => {
  const text = `First Name,Stage,"<img src=x onerror=alert(1)>",E-mail Address
Ada,Lead,"<script>window.__xss = 1</script>",ada@example.com
Ben,Client,,no
`;
  const file = { name: 'off<b>ice.csv', mimeType: 'text/csv', buffer: Buffer.from(text) };

  it('are mapped, tried, imported and fixed on a page without scripts, and taken out again', async () => {
    const user = await portal.account();
    const page = await portal.window({ javaScriptEnabled: false });
    page.setDefaultTimeout(60_000);
    await page.goto(at('/account'));
    await fillSignIn(page, user);
    await page.getByRole('link', { name: 'Contacts from a file' }).click();
    await page.getByLabel('The file').setInputFiles(file);
    await page.getByRole('button', { name: 'Send the file' }).click();
    await page.getByRole('heading', { name: 'off<b>ice.csv' }).waitFor();
    expect(await page.locator('td').allTextContents()).toContain('<script>window.__xss = 1</script>');
    expect(await page.getByLabel('E-mail Address').locator('option:checked').textContent()).toBe('Email');
    const stage = page.getByLabel('Stage');
    await stage.selectOption('email');
    await page.getByLabel('Tags for all of them').fill('Spring');
    await page.getByRole('button', { name: 'Try it first' }).click();
    await page.getByRole('alert').getByText('Two columns fill "Email"').waitFor();
    expect(await stage.inputValue()).toBe('email');
    expect(await page.getByLabel('Tags for all of them').inputValue()).toBe('Spring');
    await stage.selectOption('hotness');
    await page.getByRole('button', { name: 'Try it first' }).click();
    await page.getByText('This is what an import would do now').waitFor();
    const contacts = () =>
      system.rows(
        'contacts',
        `select first_name, h.name as hotness from contacts c left join hotnesses h on h.id = c.hotness_id
         where c.owner_user_id = $1 order by c.id`,
        [user.id],
      );
    expect(await contacts()).toEqual([]);
    expect(await stage.inputValue()).toBe('hotness');
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('The import is done').waitFor();
    expect(await contacts()).toEqual([{ first_name: 'Ada', hotness: 'Lead' }]);
    const loaded = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download the 1 refused row' }).click();
    const errors = await readFile(await (await loaded).path(), 'utf8');
    expect(errors).toContain('Ben,Client,,no,3,"E-mail Address: must be one e-mail address');

    await page.getByRole('link', { name: 'All imports' }).click();
    const fixed = {
      ...file,
      name: 'errors.csv',
      buffer: Buffer.from(errors.replace(',no,', ',ben@example.com,')),
    };
    await page.getByLabel('The file').setInputFiles(fixed);
    await page.getByRole('button', { name: 'Send the file' }).click();
    await page.getByLabel('Stage').selectOption('hotness');
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('The import is done').waitFor();
    expect(await contacts()).toEqual([
      { first_name: 'Ada', hotness: 'Lead' },
      { first_name: 'Ben', hotness: 'Client' },
    ]);
    await page.getByRole('link', { name: 'All imports' }).click();
    const downloaded = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download contacts as CSV' }).click();
    const exported = await readFile(await (await downloaded).path(), 'utf8');
    expect(
      exported
        .trimEnd()
        .split('\n')
        .map((line) => line.split(',')[0]),
    ).toEqual(['\ufefffirst_name', 'Ada', 'Ben']);
  });

  it('belong to the user who is signed in, and come from no form of another session', async () => {
    const [owner, stranger] = [await portal.account(), await portal.account()];
    const page = await portal.window();
    await portal.signIn(page, owner);
    await page.goto(at('/account/import'));
    await page.getByLabel('The file').setInputFiles(file);
    await page.getByRole('button', { name: 'Send the file' }).click();
    await page.getByText('What the columns mean').waitFor();
    const path = new URL(page.url()).pathname;
    const form_token = await page.locator('[name=form_token]').first().inputValue();
    const other = await portal.window();
    await portal.signIn(other, stranger);
    for (const below of ['', '/errors', '/warnings'])
      expect((await other.request.get(at(`${path}${below}`))).status(), below).toBe(404);
    const headers = { 'sec-fetch-site': 'same-origin' };
    const form = { form_token, act: 'cancel' };
    expect((await other.request.post(at(path), { form, headers })).status()).toBe(403);
    const multipart = { form_token, file };
    expect((await other.request.post(at('/account/import'), { multipart, headers })).status()).toBe(403);
    const signedOut = await portal.window();
    for (const below of [path, '/account/export', '/account/import'])
      expect((await signedOut.request.get(at(below), { maxRedirects: 0 })).status(), below).toBe(303);
    const stored = await system.rows(
      'contacts',
      'select user_id, status from imports where user_id = any($1)',
      [[owner.id, stranger.id]],
    );
    expect(stored).toEqual([{ user_id: owner.id, status: 'Mapping' }]);
  });

  it('are refused if the broker of the user does not let them add contacts', async () => {
    const [user, broker] = [await portal.account(), await system.person({ is_broker: true })];
    await system.operator.subAccounts.consent({ broker: broker.id, user: user.id });
    const switches = { user_id: user.id, is_contact_ownership_new_enabled: false };
    expect((await broker.api.post('/sub-accounts', switches)).status).toBe(201);
    const page = await portal.window();
    await portal.signIn(page, user);
    await page.goto(at('/account/import'));
    await page.getByLabel('The file').setInputFiles(file);
    await page.getByRole('button', { name: 'Send the file' }).click();
    await page.getByRole('alert').waitFor();
    expect(await system.rows('contacts', 'select from imports where user_id = $1', [user.id])).toEqual([]);
  });

  it('that cannot be read are refused with a reason that the page shows', async () => {
    const page = await portal.window();
    await portal.signIn(page, await portal.account());
    for (const [buffer, reason] of [
      [Buffer.from([0xff, 0xfe, 0x41, 0x00]), 'The file is UTF-16 or not text.'],
      [Buffer.from(''), 'The file is empty.'],
    ] as const) {
      await page.goto(at('/account/import'));
      await page.getByLabel('The file').setInputFiles({ ...file, buffer });
      await page.getByRole('button', { name: 'Send the file' }).click();
      await page.getByRole('alert').getByText(reason).waitFor();
    }
  });
});
