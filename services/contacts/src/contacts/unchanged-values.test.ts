import { agentOf, someone, teammateOf } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { contactsUnderTest } from '../../test/harness.ts';

const contacts = await contactsUnderTest();
afterAll(contacts.close);

const tooLong = { name: 'BadRequest', errors: { tags: 'must have at most 508 characters' } };

describe('a contact that is written back as it was read', () => {
  it('is accepted when its tags have grown by a rename, and keeps them', async () => {
    const { contacts: api, tags } = contacts.as(someone());
    const { id } = await api.create({ tags: `Buyer, ${'x'.repeat(480)}` });
    const [buyer] = (await tags.find({ content: 'Buyer' })).data;
    await tags.patch({ id: buyer?.id ?? 0, content: 'B'.repeat(100) });
    const read = await api.get({ id });
    expect(read.tags).toHaveLength(582);

    const { id: _, ...record } = read;
    expect(await api.patch({ id, ...record, last_name: 'Lee' })).toMatchObject({
      tags: read.tags,
      last_name: 'Lee',
    });
    await expect(api.patch({ id, tags: `${read.tags}, y` })).rejects.toMatchObject(tooLong);
    await expect(api.patch({ id, tags: read.tags?.toLowerCase() ?? '' })).rejects.toMatchObject(tooLong);
    await expect(api.create({ tags: read.tags })).rejects.toMatchObject(tooLong);
    expect(await api.get({ id })).toMatchObject({ tags: read.tags });
    expect(await api.patch({ id, tags: 'Seller' })).toMatchObject({ tags: 'Seller' });
  });

  it('is accepted with as many addresses and custom fields as were added one by one', async () => {
    const anna = someone();
    const { contacts: api, customFields } = contacts.as(anna);
    const { id } = await api.create({ addresses: Array.from({ length: 50 }, () => ({ city: 'Reno' })) });
    await contacts.rows(
      "insert into addresses (contact_id, city, created_at, modified_at) values ($1, 'Elko', now(), now())",
      [id],
    );
    await customFields.create({ name: 'Budget', data_type: 'Text' });
    await contacts.rows(
      `insert into custom_fields (user_id, name, rank, data_type)
       select user_id, name || n, rank, data_type from custom_fields, generate_series(1, 500) n where user_id = $1`,
      [anna.id],
    );
    const { id: _, ...record } = await api.get({ id });
    expect([record.addresses.length, record.custom_fields.length]).toEqual([51, 501]);
    const changed = record.addresses.map((address) => ({ ...address, city: 'Ely' }));
    const { addresses: shown } = await api.patch({ id, ...record, addresses: changed });
    expect(shown.map(({ city }) => city)).toEqual(Array(51).fill('Ely'));
    const more = Array.from({ length: 51 }, () => ({ city: 'Reno' }));
    await expect(api.patch({ id, addresses: more })).rejects.toMatchObject({
      errors: { addresses: 'must have at most 50 new addresses' },
    });
  });

  it('may lose tags when they have grown by a rename', async () => {
    const { contacts: api, tags } = contacts.as(someone());
    const { id } = await api.create({ tags: 'Buyer, Seller, Old' });
    const [buyer] = (await tags.find({ content: 'Buyer' })).data;
    await tags.patch({ id: buyer?.id ?? 0, content: 'B'.repeat(508) });
    const fewer = `${'B'.repeat(508)}, Seller`;
    expect(await api.patch({ id, tags: fewer })).toMatchObject({ tags: fewer });
    await expect(api.patch({ id, tags: `${'B'.repeat(508)}, New` })).rejects.toMatchObject(tooLong);
    await expect(api.patch({ id, tags: `${fewer}, Seller` })).rejects.toMatchObject(tooLong);
  });

  it('is accepted from everybody who may change it, whatever it refers to', async () => {
    const [ben, cleo] = [someone(), someone()];
    const owner = { ...teammateOf(ben), teammate_ids: [ben.id, cleo.id] };
    const { contacts: api, hotnesses, contactSources, shares } = contacts.as(owner);
    const hotness = await hotnesses.create({ name: 'Hot' });
    const source = await contactSources.create({ name: 'Fair' });
    const { id } = await api.create({
      assigned_user_id: ben.id,
      hotness_id: hotness.id,
      source_id: source.id,
      tags: 'a, b',
    });
    await shares.create({ contact_id: id, user_id: cleo.id });
    for (const person of [owner, ben, cleo, agentOf(owner, { is_contact_ownership_enabled: true })]) {
      const mine = contacts.as(person).contacts;
      const { id: _, ...record } = await mine.get({ id });
      expect(await mine.patch({ id, ...record })).toMatchObject({
        ...record,
        modified_at: expect.any(String),
      });
    }
    const { contacts: ofCleo } = contacts.as(cleo);
    await expect(ofCleo.patch({ id, assigned_user_id: cleo.id })).rejects.toMatchObject({
      name: 'Forbidden',
    });
  });

  const read = '2018-01-09T12:24:09.000Z';

  /** A contact that was last changed long ago, as it is read. */
  async function readContact() {
    const anna = someone();
    const { contacts: api, customFields } = contacts.as(anna);
    const { id: field } = await customFields.create({ name: 'Budget', data_type: 'Text' });
    const { id: _, ...record } = await api.create({
      first_name: 'Bill',
      tags: 'Buyer',
      addresses: [{ city: 'Reno' }],
      custom_fields: [{ id: field, value: '9' }],
      modified_at: read,
    });
    const { id } = (await api.find({})).data[0] ?? { id: 0 };
    return { api, id, record };
  }
  type Read = Awaited<ReturnType<typeof readContact>>['record'];

  it.each<[string, (record: Read) => object]>([
    ['a field', () => ({ first_name: 'Will' })],
    ['a field that is emptied', () => ({ first_name: null })],
    ['the tags', () => ({ tags: 'Buyer, Seller' })],
    ['the time at which it was added', () => ({ created_at: '2016-07-01T12:12:11Z' })],
    ['an address', ({ addresses }) => ({ addresses: addresses.map((one) => ({ ...one, city: 'Elko' })) })],
    ['another address like the first', ({ addresses }) => ({ addresses: [...addresses, { city: 'Reno' }] })],
    [
      'the value of a custom field',
      ({ custom_fields }) => ({ custom_fields: custom_fields.map((one) => ({ ...one, value: '10' })) }),
    ],
  ])('has the time of the change when something differs: %s', async (_, changes) => {
    const { api, id, record } = await readContact();
    const { modified_at } = await api.patch({ id, ...record, ...changes(record) });
    expect((await api.find({ modified_at: { $gt: read } })).data).toMatchObject([{ id, modified_at }]);
  });

  it('keeps the time at which it was changed when nothing differs, or when another time is sent', async () => {
    const { api, id, record } = await readContact();
    const equal = read.replace('Z', '+00:00');
    for (const sent of [{ ...record }, { modified_at: equal }, { first_name: 'Bill', modified_at: equal }])
      expect(await api.patch({ id, ...sent })).toMatchObject({ modified_at: read });
    const given = { first_name: 'Will', modified_at: '2020-02-29T00:00:00.000Z' };
    for (let time = 0; time < 2; time++)
      expect(await api.patch({ id, ...record, ...given })).toMatchObject(given);
  });
});
