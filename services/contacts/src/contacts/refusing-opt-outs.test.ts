import { couldAsk, optOutField } from '@crm/contract';
import { someone } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { contactsUnderTest } from '../../test/harness.ts';
import { ContactView } from './contact.api.ts';

const contacts = await contactsUnderTest();
afterAll(contacts.close);

const names = ['text_opt_out', 'email_opt_out', 'opt_out', 'Unsubscribed', 'do_not_text', 'doNotEmail'];
const refused = { name: 'BadRequest' };

describe('an opt-out that is sent as a field of a contact', () => {
  it.each(names)('is refused, not ignored: %s', async (name) => {
    const { contacts: own, bulkOperations } = contacts.as(someone());
    const { id } = await own.create({ first_name: 'Ada' });
    const sent = { first_name: 'Grace', [name]: true };
    const error = { ...refused, errors: { [name]: expect.stringContaining('PATCH /contacts/{id}/consent') } };
    await expect(own.create(sent)).rejects.toMatchObject(error);
    await expect(own.patch({ id, ...sent })).rejects.toMatchObject(error);
    const operation = { action: 'patch' as const, ids: [id], changes: sent };
    await expect(bulkOperations.create(operation)).rejects.toMatchObject({
      ...refused,
      errors: { [`changes.${name}`]: error.errors[name] },
    });
    expect(await own.find({})).toMatchObject({ total: 1, data: [{ first_name: 'Ada' }] });
  });

  it.each([
    { email_opt_in: false },
    { subscribed: false },
    { accepts_marketing: 'no' },
    { newsletter: 0 },
    { consent: 'Withdrawn' },
    { email_subscription: false },
    { email_status: 'unsubscribed' },
    { dnd: true },
    { dnc: 1 },
    { do_not_disturb: true },
    { do_not_send_email: true },
    { no_email: 'x' },
    { suppressed: '2024-05-02' },
    { dnd_channels: ['sms'] },
  ])('is refused by each name that a file could have: %j', async (sent) => {
    const { contacts: own } = contacts.as(someone());
    const [name = ''] = Object.keys(sent);
    await expect(own.create({ first_name: 'Ada', ...sent })).rejects.toMatchObject({
      ...refused,
      errors: { [name]: expect.stringContaining('PATCH /contacts/{id}/consent') },
    });
  });

  it.each([
    { email_opt_in: true },
    { subscribed: 'yes' },
    { newsletter: 'Monthly' },
    { consent_at: '2024-05-02' },
    { opted_in_on: false },
    { email_status: 'valid' },
    { subscription: { plan: 'Gold' } },
    { dnd_channels: [] },
    { do_not_call: true },
    { status: 'unsubscribed' },
  ])('is not seen in %j', async (sent) => {
    const { contacts: own } = contacts.as(someone());
    expect(await own.create({ first_name: 'Ada', ...sent })).toMatchObject({ first_name: 'Ada' });
  });

  it('has the name of no field that a response contains', () => {
    const names = Object.keys(ContactView.shape);
    expect(names.filter((name) => optOutField(name) ?? couldAsk(name))).toEqual([]);
  });

  it.each([false, null, '', 'No', '0'])('is ignored like other unknown fields if it is %j', async (value) => {
    const { contacts: own } = contacts.as(someone());
    const sent = Object.fromEntries(names.map((name) => [name, value]));
    expect(await own.create({ first_name: 'Ada', ...sent })).toMatchObject({ first_name: 'Ada' });
  });
});

describe('the consent of a contact', () => {
  it.each([{ text_opt_out: true }, { opt_out: true }, { email: 'Opted out', text_state: 'Opted Out' }])(
    'is not changed by %j, which part of which would be ignored',
    async (sent) => {
      const { contacts: own, consents } = contacts.as(someone());
      const { id } = await own.create({ mobile_phone: '+16045554571' });
      await expect(consents.patch({ id, ...sent } as { id: number })).rejects.toMatchObject(refused);
      const before = await consents.get({ id });
      expect(before).toMatchObject({ text_state: 'Allowed', email_state: 'Allowed' });
      const sentBack = { ...before, id };
      expect(await consents.patch(sentBack)).toMatchObject({ text_state: 'Allowed', email_state: 'Allowed' });
    },
  );
});
