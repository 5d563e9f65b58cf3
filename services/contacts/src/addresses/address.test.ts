import { someone, teammateOf } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { contactsUnderTest } from '../../test/harness.ts';

const contacts = await contactsUnderTest();
afterAll(contacts.close);

describe('an address', () => {
  it('can be read and changed by everyone who sees its contact', async () => {
    const ben = someone();
    const anna = teammateOf(ben);
    const { id: contact_id } = await contacts.as(anna).contacts.create({ assigned_user_id: ben.id });
    const { id } = await contacts.as(anna).addresses.create({ contact_id, type: 'Home', city: 'Reno' });

    const asBen = contacts.as(ben).addresses;
    expect(await asBen.patch({ contact_id, id, city: 'Elko' })).toMatchObject({
      id,
      type: 'Home',
      city: 'Elko',
    });
    expect(await asBen.find({ contact_id })).toMatchObject({ total: 1, data: [{ city: 'Elko' }] });
    expect(await asBen.remove({ contact_id, id })).toMatchObject({ id });
    expect(await asBen.find({ contact_id })).toMatchObject({ total: 0 });
  });

  it.each(['get', 'patch', 'remove'] as const)(
    'cannot be reached by %s through another contact',
    async (verb) => {
      const anna = contacts.as(someone());
      const { id: contact_id } = await anna.contacts.create({});
      const { id } = await anna.addresses.create({ contact_id, city: 'Reno' });
      const stranger = contacts.as(someone());
      const own = await stranger.contacts.create({});

      await expect(stranger.addresses[verb]({ contact_id, id })).rejects.toMatchObject({ name: 'NotFound' });
      await expect(stranger.addresses[verb]({ contact_id: own.id, id })).rejects.toMatchObject({
        name: 'NotFound',
      });
      expect(await anna.addresses.get({ contact_id, id })).toMatchObject({ city: 'Reno' });
    },
  );

  it('cannot be listed or added through a contact that the user does not see', async () => {
    const { id: contact_id } = await contacts.as(someone()).contacts.create({});
    const stranger = contacts.as(someone());
    await expect(stranger.addresses.find({ contact_id })).rejects.toMatchObject({ name: 'NotFound' });
    await expect(stranger.addresses.create({ contact_id })).rejects.toMatchObject({ name: 'NotFound' });
    expect(await contacts.rows('select from addresses where contact_id = $1', [contact_id])).toHaveLength(0);
  });

  it('updates the modification time of its contact', async () => {
    const { contacts: api, addresses } = contacts.as(someone());
    const { id: contact_id } = await api.create({ modified_at: '2018-01-09T12:24:09.000Z' });
    await addresses.create({ contact_id, city: 'Reno' });
    expect((await api.get({ id: contact_id })).modified_at > '2026').toBe(true);
  });
});
