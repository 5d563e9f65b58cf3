import { openDelivery } from '@crm/delivery';
import { startCarriers } from '@crm/delivery/testing';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { publicUrl } from '../../test/harness.ts';
import { messageOf } from './message-of.ts';

const carriers = await startCarriers(publicUrl);
const delivery = openDelivery(carriers.delivery, { timeoutMs: 30_000, emailTimeoutMs: 30_000 });
afterAll(async () => {
  await delivery.close();
  await carriers.close();
});

const nobody = { first_name: null, last_name: null, email: null };
const contact = {
  ...nobody,
  company: null,
  mobile_phone: null,
  birthday: null,
  anniversary: null,
  spouse_name: null,
};
const user = { ...nobody, phone: null };

const unsubscribe_url = 'https://crm.example.com/unsubscribe/x';

const controls = ['\t', '\r', '\n', '\v', '\0', '\u007f', '\u0085', '\u2028', '\u2029'];
const line = fc.string({ unit: fc.constantFrom(...controls, 'a', ' ', 'é') });
const template = fc.string({
  unit: fc.constantFrom(...controls, 'a', '{{contact.first_name}}', '{{user.last_name}}'),
});

describe('the subject of a message', () => {
  it('is valid in an e-mail, whatever its template and names contain', async () => {
    let sent = 0;
    await fc.assert(
      fc.asyncProperty(template, line, line, async (template_subject, first_name, last_name) => {
        const pinned = { type: 'Email Contact', template_subject, unsubscribe_url } as const;
        const { subject } = messageOf(pinned, { ...contact, first_name }, { ...user, last_name });
        sent += 1;
        const email = { key: `communication/${sent}`, to: { address: 'ana@example.com' }, subject, text: '' };
        expect(await delivery.email(email)).toMatchObject({ outcome: 'sent' });
      }),
    );
  });

  it('has one space instead of tabs and line breaks', () => {
    const pinned = {
      type: 'Email Contact',
      unsubscribe_url,
      template_subject: 'New\tlisting,\r\n\u2028{{contact.first_name}}',
    } as const;
    expect(messageOf(pinned, { ...contact, first_name: 'Ana\tMaria' }, user).subject).toBe(
      'New listing, Ana Maria',
    );
  });
});

describe('the link to unsubscribe', () => {
  const template_subject = 'Hello{{unsubscribe_url}}';
  const body = '{{unsubscribe_url}}';

  it('is only in the body of an e-mail', () => {
    expect(
      messageOf({ type: 'Email Contact', template_subject, body, unsubscribe_url }, contact, user),
    ).toMatchObject({
      subject: 'Hello',
      body: unsubscribe_url,
      empty: ['unsubscribe_url'],
    });
    for (const type of ['Text Contact', 'Call Contact'] as const)
      expect(messageOf({ type, body, unsubscribe_url }, contact, user)).toMatchObject({
        body: '',
        empty: ['unsubscribe_url'],
      });
  });
});
