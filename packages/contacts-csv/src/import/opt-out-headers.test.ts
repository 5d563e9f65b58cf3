import { describe, expect, it } from 'vitest';
import { couldOptOut, optOutHeader } from './opt-out-headers.ts';

describe('an opt-out header', () => {
  it.each([
    ['Unsubscribed?', 'email_opt_out'],
    ['Unsubscribed:', 'email_opt_out'],
    ['Is Unsubscribed', 'email_opt_out'],
    ['Has unsubscribed', 'email_opt_out'],
    ['Global Unsubscribe', 'email_opt_out'],
    ['Email Opt Out (Y/N)', 'email_opt_out'],
    ['Unsubscribed? (yes/no)', 'email_opt_out'],
    ['Email Opt\u2011Out', 'email_opt_out'],
    ['Email Opt\u2013Out', 'email_opt_out'],
    ['Opted Out (Email)', 'email_opt_out'],
    ['Primary Email Opt Out', 'email_opt_out'],
    ['Do Not Send Email', 'email_opt_out'],
    ['Do Not Allow Bulk Emails', 'email_opt_out'],
    ['Email Opt Out Status', 'email_opt_out'],
    ['Unsubscribed (SMS)', 'text_opt_out'],
    ['is_opted_out', 'opt_out'],
    ['Do not contact?', 'opt_out'],
    ['DNC', 'opt_out'],
    ['Receive Emails', 'email_opt_in'],
    ['Is Subscribed?', 'email_opt_in'],
    ['SMS Consent Status', 'text_opt_in'],
  ])('%j fills %s', (header, field) => {
    expect(optOutHeader(header)).toBe(field);
  });

  it.each(['Opt Out (Calls)', 'Do Not Mail?', 'Is Primary', 'Email (Y/N)', 'Status (SMS)'])(
    '%j fills none',
    (header) => expect(optOutHeader(header)).toBeUndefined(),
  );

  it.each([
    'fax_unsub',
    'WhatsApp Opt-Out',
    'optedOutOfNews',
    'do_not_disturb',
    'spouse_opted_in',
    "Don't write",
  ])('%j could mean that somebody gets no messages', (name) => expect(couldOptOut(name)).toBe(true));

  it.each(['do_not_call', 'Do not call?', 'adopted_at', 'options', 'first_name', 'donor'])(
    '%j could not',
    (name) => expect(couldOptOut(name)).toBe(false),
  );
});
