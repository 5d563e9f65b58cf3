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
