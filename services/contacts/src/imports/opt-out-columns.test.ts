import type { User } from '@crm/auth';
import { afterAll, describe, expect, it } from 'vitest';
import { importing } from '../../test/importing.ts';
import { linesType } from './import.api.ts';

const contacts = await importing();
afterAll(contacts.close);
const { person, done, ofUser, errorsOf } = contacts;

const optedOut = async (user: User) => {
  const ids = (await ofUser(user)).map(({ id }) => id);
  return (await contacts.as(user).consents.optedOut({ contact_ids: ids })).map(({ opted_out }) => opted_out);
};

describe('a column that says in words who gets messages', () => {
  const text = (header: string, value: string) =>
    `First Name,Email,Cell,${header}\nAda,ada@x.example,604 555 4572,${value}`;

  it.each([
    ['Email Subscription', 'No'],
    ['Email Subscription', 'Yes'],
    ['Subscription Status', 'No'],
    ['Email Subscriber Status', 'false'],
    ['Newsletter Status', '0'],
    ['SMS Subscription', 'N'],
    ['Email Marketing Status', 'off'],
    ['Email Status', 'never'],
    ['Email Subscription', '2024-05-02'],
  ])('is never read as the opposite of what it means: %s, %s', async (header, value) => {
    const anna = await person();
    const { id, ...counts } = await done(anna, text(header, value));
    expect(counts).toMatchObject({ created: 0, failed: 1 });
    expect(await errorsOf(anna, id)).toMatch(
      /does not say who gets no messages.*email_opt_in.*email_opt_out/,
    );
  });

  it.each([
    ['Unsubscribed', [['Email']]],
    ['Subscribed', []],
    ['', []],
  ])('needs no mapping: %j', async (value, expected) => {
    const anna = await person();
    expect(await done(anna, text('Subscription Status', value))).toMatchObject({ created: 1, failed: 0 });
    expect(await optedOut(anna)).toEqual(expected);
  });

  it.each([
    ['email_opt_in', 'No', [['Email']]],
    ['email_opt_in', 'Yes', []],
    ['email_opt_out', 'Yes', [['Email']]],
  ])('is read as %s, which it is mapped to: %s', async (field, value, expected) => {
    const anna = await person();
    const mapping = { 'Email Subscription': field };
    await done(anna, text('Email Subscription', value), { mapping });
    expect(await optedOut(anna)).toEqual(expected);
  });
});

describe('the other addresses and numbers of a row that opts its contact out', () => {
  it.each([
    'Email 2',
    'E-mail 2 - Value',
    'E-mail 3 Address',
    'Secondary Email',
    'Work Email',
    'Alternate E-mail Address',
    'Other Emails',
    'Email (Work)',
    'email_home',
    'E-Mail Address',
  ])('get no messages either: %s', async (header) => {
    const anna = await person();
    await contacts.as(anna).contacts.create({ first_name: 'A. L.', email: 'ada.private@x.example' });
    const text = `First Name,Email,${header},Unsubscribed\nAda,ada@x.example,Ada <ada.private@x.example>,yes`;
    for (const mapping of [{}, { [header]: '' }, { [header]: 'custom' }])
      expect(await done(anna, text, { mapping, create_missing: true })).toMatchObject({ failed: 0 });
    expect(await optedOut(anna)).toEqual([['Email'], ['Email']]);
  });

  it.each(['Business Phone 2', 'Other Phone', 'Primary Phone', 'Phone (Work)'])(
    'get no texts: %s',
    async (header) => {
      const anna = await person();
      await contacts.as(anna).contacts.create({ first_name: 'A. L.', mobile_phone: '604 555 4573' });
      const text = `First Name,Cell,${header},Do Not Text\nAda,604 555 4572,604 555 4573,yes`;
      expect(await done(anna, text)).toMatchObject({ created: 1, failed: 0 });
      expect(await optedOut(anna)).toEqual([['Text'], ['Text']]);
    },
  );

  it.each(['Spouse Email', 'Agent Email', 'Lender E-mail', 'Referred By', 'E-mail 2 Display Name', 'Notes'])(
    'are not those of somebody else: %s',
    async (header) => {
      const anna = await person();
      await contacts.as(anna).contacts.create({ first_name: 'Ben', email: 'ben@x.example' });
      const text = `First Name,Email,${header},Unsubscribed\nAda,ada@x.example,ben@x.example,yes`;
      await done(anna, text, { mapping: { [header]: '' } });
      expect(await optedOut(anna)).toEqual([['Email']]);
    },
  );

  it('are found in a line of JSON too', async () => {
    const anna = await person();
    await contacts.as(anna).contacts.create({ first_name: 'A. L.', email: 'ada.private@x.example' });
    const line = { email: 'ada@x.example', secondary_email: 'ada.private@x.example', email_opt_out: true };
    expect(await done(anna, JSON.stringify(line), { type: linesType })).toMatchObject({ created: 1 });
    expect(await optedOut(anna)).toEqual([['Email'], ['Email']]);
  });
});

describe('a row that opts out somebody without a number or an address', () => {
  const files = [
    ['text/csv', 'First Name,Last Name,Do Not Contact\nJohn,Smith,yes'],
    ['text/csv', 'First Name,Cell,Do Not Contact\nJohn,555-4572,yes'],
    ['text/csv', 'Email,Tags,Source,Do Not Contact\n,VIP,Zillow,yes'],
    [linesType, '{"first_name":"John","opt_out":true}'],
    [linesType, '{"first_name":"John","email":"n/a","opt_out":true}'],
  ] as const;

  it.each(files)('is refused, because nobody would be opted out by it: %s %j', async (type, text) => {
    const anna = await person();
    const { id, ...counts } = await done(anna, text, { type });
    expect(counts).toMatchObject({ status: 'Done', created: 0, failed: 1 });
    expect(await errorsOf(anna, id)).toContain('neither a complete phone number nor an e-mail address');
    expect(await ofUser(anna)).toEqual([]);
  });

  it.each(files)('adds a contact that has opted out if each row adds one: %s %j', async (type, text) => {
    const anna = await person();
    expect(await done(anna, text, { type, duplicates: 'create' })).toMatchObject({ created: 1, failed: 0 });
    expect(await optedOut(anna)).toEqual([['Text', 'Email']]);
  });

  it('is imported with a number or an address in another column', async () => {
    const anna = await person();
    const text = 'First Name,Email,Email 2,Do Not Contact\nJohn,,john@x.example,yes';
    expect(await done(anna, text)).toMatchObject({ created: 1, failed: 0 });
  });
});
