import { someone } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { contactsUnderTest } from '../../test/harness.ts';

const contacts = await contactsUnderTest();
afterAll(contacts.close);

describe('a phone number', () => {
  it.each(['mobile_phone', 'home_phone', 'office_phone'] as const)(
    'in %s is returned as sent and found in any notation',
    async (field) => {
      const { contacts: api } = contacts.as(someone());
      const { id } = await api.create({ [field]: '1 (604) 555-4572' });
      expect(await api.get({ id })).toMatchObject({ [field]: '1 (604) 555-4572' });
      for (const asked of ['1 (604) 555-4572', '+16045554572', '604-555-4572', '(604) 5554572']) {
        expect(await api.find({ [field]: asked })).toMatchObject({ total: 1, data: [{ id }] });
      }
      expect(await api.find({ [field]: '604-555-4573' })).toMatchObject({ total: 0 });
      await api.patch({ id, [field]: '+44 20 7946 0958' });
      expect(await api.find({ [field]: '604-555-4572' })).toMatchObject({ total: 0 });
      expect(await api.find({ [field]: '+442079460958' })).toMatchObject({ total: 1 });
    },
  );

  it('that is not valid is stored and found as it was sent', async () => {
    const { contacts: api } = contacts.as(someone());
    const { id } = await api.create({ mobile_phone: 'ask at the desk' });
    expect(await api.find({ mobile_phone: 'ask at the desk' })).toMatchObject({ total: 1, data: [{ id }] });
    expect(await api.find({ mobile_phone: { $ne: 'ask at the desk' } })).toMatchObject({ total: 0 });
  });
});
