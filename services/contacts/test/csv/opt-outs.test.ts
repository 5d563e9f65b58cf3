import type { User } from '@crm/auth';
import { readColumns } from '@crm/contacts-csv';
import { afterAll, describe, expect, it } from 'vitest';
import { contactsFormat } from '../../src/contacts-format.ts';
import { accountsUnderTest } from './accounts.ts';

const accounts = await accountsUnderTest();
afterAll(accounts.close);

const both = ['Text', 'Email'];

/** Which messages the contacts of a user do not get, by first name, as a sender sees it. */
async function optedOut(user: User) {
  const found = await accounts.contactsOf(user);
  const ids = found.map(({ id }) => id);
  const sent = await accounts.asSystem.contacts.exportForDispatch({ ids });
  return Object.fromEntries(
    sent.map(({ id, text_opt_out, email_opt_out }) => [
      found.find((one) => one.id === id)?.first_name,
      [...(text_opt_out === null ? [] : ['Text']), ...(email_opt_out === null ? [] : ['Email'])],
    ]),
  );
}

let files = 0;
const file = (...lines: readonly string[]) => accounts.file(`opt-outs-${++files}.csv`, lines.join('\n'));

describe('a header', () => {
  it.each([
    ...[
      'Email Opt Out',
      'email_opt_out',
      'Email Opted Out',
      'Opted Out of Email',
      'HasOptedOutOfEmail',
      'Do Not Email',
    ],
    ...[
      "Don't Email",
      'Don\u2019t email',
      'No Emails',
      'Unsubscribed',
      'Unsubscribed from all email',
      'UNSUB_TIME',
      'CLEAN_TIME',
    ],
    ...['Email Bounced', 'Marketing email blocked', 'Opted out of email: Open houses'],
  ])('%j tells who gets no e-mails', (header) => {
    expect(fieldOf(header)).toBe('email_opt_out');
  });

  it.each([
    ...[
      'Text Opt Out',
      'text-opt-out',
      'Texting Opt Out',
      'SMS Opt-Out',
      'SMS Opted Out',
      'Opted Out of Texts',
      'Do Not Text',
    ],
    ...['Do not SMS', 'No Texts', 'SMS Unsubscribed', 'Unsubscribed from SMS'],
  ])('%j tells who gets no texts', (header) => {
    expect(fieldOf(header)).toBe('text_opt_out');
  });

  it.each([
    ['Opted Out', 'opt_out'],
    ['OptedOut', 'opt_out'],
    ['Do Not Contact', 'opt_out'],
    ['Opted In', 'opt_in'],
    ['Email Optin', 'email_opt_in'],
    ['Accepts Marketing', 'email_opt_in'],
    ['OK to text', 'text_opt_in'],
    ['Accepts SMS Marketing', 'text_opt_in'],
    ['Subscribed', 'email_opt_in'],
    ['Marketing Status', 'email_status'],
    ['Email Marketing Status', 'email_status'],
    ['Email Status', 'email_status'],
    ['SMS Status', 'text_status'],
  ])('%j is %s', (header, field) => {
    expect(fieldOf(header)).toBe(field);
  });

  it.each([
    'Emails Bounced',
    'Marketing emails bounced',
    'Texts Blocked',
    'Text messages bounced',
    'Do Not Call',
    'Do Not Mail',
    'Text',
    'Status',
    'OPTIN_TIME',
    'Marketing contact status',
  ])('%j tells nothing about texts and e-mails', (header) => expect(fieldOf(header)).toBeUndefined());
});

const fieldOf = (header: string) =>
  readColumns(['First Name', header], new Map(), contactsFormat).used.find(
    (column) => column.header === header,
  )?.field;

describe('an import', () => {
  it('keeps who has opted out, in whichever column it says so', async () => {
    const user = accounts.agent();
    const path = file(
      'First Name,Email,Phone,Email Opt Out,Do Not Text,Marketing Status,UNSUB_TIME,Do Not Contact,Text Opt In',
      'None,none@x.example,6045554570,no,,Subscribed,,0,yes',
      'Email,email@x.example,6045554571,Yes,,,,,',
      'Text,text@x.example,6045554572,,x,,,,',
      'Cleaned,cleaned@x.example,,,,Cleaned,,,',
      'Time,time@x.example,,no,no,,2024-05-02 11:05:33,,',
      'All,all@x.example,6045554573,,,,,TRUE,yes',
      'In,in@x.example,6045554574,,,,,,No',
    );
    expect(await accounts.import(user, path)).toMatchObject({
      created: 7,
      failed: 0,
      warned: 0,
      ignored_columns: [],
    });
    expect(await optedOut(user)).toEqual({
      None: [],
      Email: ['Email'],
      Text: ['Text'],
      Cleaned: ['Email'],
      Time: ['Email'],
      All: both,
      In: ['Text'],
    });
    const [{ id = 0 } = {}] = (await accounts.contactsOf(user)).filter(
      ({ first_name }) => first_name === 'All',
    );
    expect(await accounts.as(user).consents.get({ id })).toMatchObject({
      text_source: 'Agent',
      email_source: 'Agent',
    });
  });

  it('refuses a row that nobody can read, in a trial too', async () => {
    const user = accounts.agent();
    const path = file('First Name,Email Opt Out', 'Anna,perhaps', 'Ben,');
    for (const dryRun of [true, false]) {
      expect(await accounts.import(user, path, { dryRun })).toMatchObject({
        created: 1,
        failed: 1,
        errors: [{ line: 2, column: 'Email Opt Out', reason: expect.stringContaining('must be yes or no') }],
      });
    }
    expect(await optedOut(user)).toEqual({ Ben: [] });
  });

  it('refuses a row that opts out nobody, because nothing else in it is imported', async () => {
    const user = accounts.agent();
    const path = file('Mail2,Email Opt Out', 'anna@x.example,yes', 'ben@x.example,');
    expect(await accounts.import(user, path)).toMatchObject({
      created: 0,
      failed: 2,
      errors: [
        { line: 2, reason: 'has no value in any imported column besides opt-outs' },
        { line: 3, reason: 'has no value in any imported column' },
      ],
    });
  });

  it('refuses a file with a column that could opt contacts out, until somebody decides about it', async () => {
    const user = accounts.agent();
    const path = file('First Name,Unsubscribe Reason,Opted Out Of News', 'Anna,,');
    await expect(accounts.import(user, path)).rejects.toMatchObject({
      reason: 'UndecidedOptOut',
      message: expect.stringMatching(/^The columns "Unsubscribe Reason", "Opted Out Of News" could say/),
    });
    expect(await accounts.contactsOf(user)).toEqual([]);
  });

  it.each(['skip', 'update', 'create'] as const)(
    'adds opt-outs to people who are contacts already, and takes none away: %s',
    async (duplicates) => {
      const user = accounts.agent();
      const api = accounts.as(user);
      const draft = (name: string) => ({ first_name: name, email: `${name}${user.id}@x.example` });
      await api.contacts.create(draft('Anna'));
      const ben = await api.contacts.create(draft('Ben'));
      await api.consents.patch({ id: ben.id, email_state: 'Opted Out' });
      const path = file(
        'First Name,Email,Company,Email Opt Out',
        `Anna,${draft('Anna').email},Coast,yes`,
        `Ben,${draft('Ben').email},Coast,no`,
      );
      expect(await accounts.import(user, path, { duplicates, dryRun: true })).toMatchObject({ failed: 0 });
      expect(await optedOut(user)).toEqual({ Anna: [], Ben: ['Email'] });
      const expected = {
        skip: { created: 0, updated: 1, skipped: 1 },
        update: { created: 0, updated: 2, skipped: 0 },
        create: { created: 2, updated: 0, skipped: 0 },
      };
      const trial = await accounts.import(user, path, { duplicates, dryRun: true });
      expect([trial, await accounts.import(user, path, { duplicates })]).toMatchObject([
        expected[duplicates],
        expected[duplicates],
      ]);
      expect(await optedOut(user)).toEqual({ Anna: ['Email'], Ben: ['Email'] });
      await accounts.rows('delete from agent_consents');
      await accounts.rows('delete from agent_opt_outs');
      expect(await accounts.import(user, path, { duplicates })).toMatchObject({ created: 0, failed: 0 });
      expect(await optedOut(user)).toEqual({ Anna: ['Email'], Ben: [] });
      const companies = (await accounts.contactsOf(user)).map(({ company }) => company);
      expect(companies.filter((company) => company === 'Coast')).toHaveLength(duplicates === 'skip' ? 0 : 2);
    },
  );

  it('opts the new number of a contact out before it is written', async () => {
    const user = accounts.agent();
    const email = `anna${user.id}@x.example`;
    const { id } = await accounts
      .as(user)
      .contacts.create({ first_name: 'Anna', email, mobile_phone: '6045554577' });
    const path = file('First Name,Email,Phone,Text Opt Out', `Anna,${email},6045554578,yes`);
    expect(await accounts.import(user, path, { duplicates: 'update' })).toMatchObject({ updated: 1 });
    const changes = (await accounts.published()).filter(({ data }) => data.contact_id === id).slice(1);
    expect(changes.map(({ data }) => data.fields)).toEqual([
      ['consent'],
      ['first_name', 'email', 'mobile_phone'],
    ]);
    expect(await optedOut(user)).toEqual({ Anna: ['Text'] });
  });
});

describe('an export', () => {
  it('says who gets no messages, for whatever reason, and an import reads it back', async () => {
    const user = accounts.agent();
    const api = accounts.as(user);
    const { optOuts } = accounts.asSystem;
    const at = '2026-03-01T09:00:00.000Z';
    const add = (first_name: string, number: number) =>
      api.contacts.create({
        first_name,
        email: `${first_name}@y.example`,
        mobile_phone: `+1604555${number}`,
      });
    await add('Silent', 6001);
    const { id } = await add('Agent', 6002);
    await api.consents.patch({ id, email_state: 'Opted Out' });
    await add('Reply', 6003);
    await optOuts.add({ number: '+16045556003', at });
    await add('Unsubscribed', 6004);
    await optOuts.addEmail({ email: 'unsubscribed@y.example', at, source: 'List-Unsubscribe' });
    await add('Paused', 6005);
    await optOuts.pause({ number: '+16045556005', at });
    await add('Resumed', 6006);
    await optOuts.pause({ number: '+16045556006', at });
    await optOuts.resume({ number: '+16045556006', at: '2026-03-01T10:00:00.000Z' });
    const exported = await accounts.export(user);
    const [header = '', ...lines] = exported.trim().split('\n');
    const columns = ['first_name', 'text_opt_out', 'email_opt_out'].map((name) =>
      header.split(',').indexOf(name),
    );
    expect(lines.map((line) => columns.map((index) => line.split(',')[index]))).toEqual([
      ['Silent', '', ''],
      ['Agent', '', 'yes'],
      ['Reply', 'yes', ''],
      ['Unsubscribed', '', 'yes'],
      ['Paused', 'yes', ''],
      ['Resumed', '', ''],
    ]);
    const other = accounts.agent();
    // What holds for a number or an address holds for any account here.
    const elsewhere = exported.replaceAll('@y.', '@z.').replaceAll('+1604', '+1778');
    await accounts.import(other, accounts.file('moved.csv', elsewhere), { duplicates: 'create' });
    expect(await accounts.export(other)).toBe(elsewhere);
  });
});
