import { describe, expect, it } from 'vitest';
import { messageOf } from './message-of.ts';

const bill = {
  first_name: 'Bill <b>',
  last_name: 'Smith\r\nBcc: all@example.com',
  email: null,
  company: null,
  mobile_phone: null,
  birthday: null,
  anniversary: null,
  spouse_name: null,
};
const anna = { first_name: 'Anna', last_name: null, email: 'anna@example.com', phone: null };

const texts = {
  template_subject: 'Hello {{contact.first_name}} {{ contact.last_name }}{{shoe.size}}',
  body: '<p>{{contact.first_name}}, {{contact.company}} {{shoe.size}} {{user.full_name}}</p>',
};

describe('a message', () => {
  it('escapes values in the body of an e-mail, and nowhere else', () => {
    const mail = messageOf({ type: 'Email Contact', ...texts }, bill, anna);
    expect(mail.body).toBe('<p>Bill &lt;b&gt;,   Anna</p>');
    expect(messageOf({ type: 'Text Contact', ...texts }, bill, anna).body).toBe('<p>Bill <b>,   Anna</p>');
    expect(mail.subject).toMatch(/^Hello Bill <b> /);
  });

  it('has a subject of one line, whatever a value contains', () => {
    expect(messageOf({ type: 'Email Contact', ...texts }, bill, anna).subject).toBe(
      'Hello Bill <b> Smith Bcc: all@example.com',
    );
  });

  it('lists unknown names and merge fields without a value once', () => {
    const { unknown, empty } = messageOf({ type: 'Email Contact', ...texts }, bill, anna);
    expect({ unknown, empty }).toEqual({ unknown: ['shoe.size'], empty: ['contact.company'] });
  });

  it('is empty without a template, and has no values for a sender who does not exist', () => {
    const nothing = { subject: '', body: '', unknown: [], empty: [] };
    expect(messageOf({ type: 'Call Contact', template_subject: null, body: null }, bill, anna)).toEqual(
      nothing,
    );
    expect(messageOf({ type: 'Text Contact', body: 'From {{user.email}}' }, bill, undefined)).toMatchObject({
      body: 'From ',
      empty: ['user.email'],
    });
  });
});
