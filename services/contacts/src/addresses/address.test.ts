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

  it('is one of at most 50 of its contact, whoever adds it', async () => {
    const { contacts: api, addresses } = contacts.as(someone());
    const full = Array.from({ length: 50 }, (_, n) => ({ city: `City ${n}` }));
    const { id } = await api.create({ addresses: full.slice(1) });
    await Promise.allSettled([1, 2].map(() => addresses.create({ contact_id: id })));
    const { data } = await addresses.find({ contact_id: id, $limit: 100 });
    expect(data).toHaveLength(50);
    const refused = { name: 'BadRequest', errors: { addresses: 'must have at most 50 addresses' } };
    await expect(addresses.create({ contact_id: id })).rejects.toMatchObject(refused);
    await expect(api.patch({ id, addresses: [{ city: 'Reno' }] })).rejects.toMatchObject(refused);
    const [known] = data;
    expect(await api.patch({ id, addresses: [{ id: known?.id, city: 'Reno' }] })).toMatchObject({
      addresses: expect.arrayContaining([expect.objectContaining({ city: 'Reno' })]),
    });
  });

  it('of a contact that has more from before can be changed and removed', async () => {
    const { contacts: api, addresses } = contacts.as(someone());
    const { id: contact_id } = await api.create({});
    await contacts.rows(
      `insert into addresses (contact_id, city, created_at, modified_at)
       select $1, 'Reno', now(), now() from generate_series(1, 60)`,
      [contact_id],
    );
    const [one] = (await addresses.find({ contact_id })).data;
    const id = one?.id ?? 0;
    expect(await addresses.patch({ contact_id, id, city: 'Elko' })).toMatchObject({ city: 'Elko' });
    expect(await api.patch({ id: contact_id, addresses: [{ id, city: 'Ely' }] })).toMatchObject({
      id: contact_id,
    });
    expect(await addresses.remove({ contact_id, id })).toMatchObject({ id });
  });

  it('updates the modification time of its contact', async () => {
    const { contacts: api, addresses } = contacts.as(someone());
    const { id: contact_id } = await api.create({ modified_at: '2018-01-09T12:24:09.000Z' });
    await addresses.create({ contact_id, city: 'Reno' });
    expect((await api.get({ id: contact_id })).modified_at > '2026').toBe(true);
  });
});
