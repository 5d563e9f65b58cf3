import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { deliveryConfigOf, deliveryVariables, variablesOf } from './config.ts';

const env = {
  SMTP_URL: 'smtp://user:password@mail.example:587',
  MAIL_FROM: 'Harbour Homes <office@harbour.example>',
  CARRIER_URL: 'https://api.twilio.com/',
  CARRIER_ACCOUNT_SID: 'AC0123',
  CARRIER_AUTH_TOKEN: 'secret-secret',
  CARRIER_NUMBER: '(604) 555-0100',
  PUBLIC_URL: 'https://crm.example/api/',
};
const schema = z.object(deliveryVariables);

describe('the configuration', () => {
  it('is read from environment variables', () => {
    expect(deliveryConfigOf(schema.parse(env))).toEqual({
      smtpUrl: env.SMTP_URL,
      mailFrom: { name: 'Harbour Homes', address: 'office@harbour.example' },
      carrier: {
        url: 'https://api.twilio.com',
        accountSid: 'AC0123',
        authToken: 'secret-secret',
        number: '+16045550100',
        honoursKeys: false,
        allowedCountries: ['US', 'CA'],
      },
      publicUrl: 'https://crm.example/api',
      rules: {
        quietHours: true,
        maxPerContact: { texts: 3, emails: 3 },
        maxPerAccount: { texts: 2_000, emails: 10_000 },
      },
    });
  });

  it('survives being passed to another process', () => {
    const given = { CARRIER_HONOURS_KEYS: 'true', QUIET_HOURS: 'false', ALLOWED_COUNTRIES: 'US , GB' };
    const address = { MAIL_POSTAL_ADDRESS: ' 12 Harbour Road, Boston, MA 02110 ' };
    const config = deliveryConfigOf(schema.parse({ ...env, ...given, ...address }));
    expect(deliveryConfigOf(schema.parse(variablesOf(config)))).toEqual(config);
    expect(config.postalAddress).toBe('12 Harbour Road, Boston, MA 02110');
  });

  it.each([
    ['office@harbour.example', { address: 'office@harbour.example' }],
    [
      '"Homes, Harbour" <office@harbour.example>',
      { name: 'Homes, Harbour', address: 'office@harbour.example' },
    ],
  ])('names the sender as %s', (MAIL_FROM, mailbox) => {
    expect(schema.parse({ ...env, MAIL_FROM }).MAIL_FROM).toEqual(mailbox);
  });

  it('must be complete: nothing has a default', () => {
    const issues = schema.safeParse({}).error?.issues ?? [];
    expect(issues.map(({ path }) => path[0])).toEqual(Object.keys(env));
    for (const { message } of issues) expect(message).toMatch(/^is not set; it must be /);
  });

  it.each([
    ['SMTP_URL', 'http://mail.example'],
    ['MAIL_FROM', 'a@b.example, c@d.example'],
    ['MAIL_FROM', 'A\r\nBcc: <c@d.example>'],
    ['MAIL_POSTAL_ADDRESS', '12 Harbour Road\nBoston'],
    ['MAIL_POSTAL_ADDRESS', ' \t '],
    ['MAIL_POSTAL_ADDRESS', 'x'.repeat(201)],
    ['CARRIER_URL', 'api.carrier.example'],
    ['CARRIER_ACCOUNT_SID', 'AC/../x'],
    ['CARRIER_AUTH_TOKEN', 'line\nbreak-line'],
    ['CARRIER_NUMBER', '604 555'],
    ['PUBLIC_URL', 'ftp://crm.example'],
    ['QUIET_HOURS', 'nights'],
    ['ALLOWED_COUNTRIES', 'USA'],
    ['MAX_DAILY_TEXTS_PER_CONTACT', '0'],
  ])('is rejected when %s is %j, with an error that does not contain the value', (name, value) => {
    const [issue, ...others] = schema.safeParse({ ...env, [name]: value }).error?.issues ?? [];
    expect(others).toEqual([]);
    expect(issue?.path).toEqual([name]);
    expect(issue?.message).toMatch(/^must be /);
    expect(issue?.message).not.toContain(value);
  });
});
