import { someone } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { contactsUnderTest } from '../../test/harness.ts';

const contacts = await contactsUnderTest();
afterAll(contacts.close);

/** Someone with a contact that has everything which a list shows. */
async function world() {
  const who = someone();
  const api = contacts.as(who);
  const hotness = await api.hotnesses.create({ name: 'Hot' });
  const source = await api.contactSources.create({ name: 'Open house' });
  const field = await api.customFields.create({ name: 'Budget', data_type: 'Text' });
  const { id } = await api.contacts.create({
    first_name: 'Bill',
    tags: 'Buyer, Seller',
    hotness_id: hotness.id,
    source_id: source.id,
    addresses: [{ city: 'Victoria' }],
    custom_fields: [{ id: field.id, value: '1' }],
  });
  await api.contacts.create({ first_name: 'Bob' });
  const listed = async () => {
    const { data } = await api.contacts.find({ $sort: { id: 1 } });
    for (const contact of data) expect(await api.contacts.get({ id: contact.id })).toEqual(contact);
    return data;
  };
  const { data } = await api.tags.find({});
  const tag = data.find(({ content }) => content === 'Buyer')?.id ?? 0;
  const { addresses } = await api.contacts.get({ id });
  const address = { contact_id: id, id: addresses[0]?.id ?? 0 };
  return { who, api, id, hotness: hotness.id, source: source.id, field: field.id, tag, address, listed };
}

type World = Awaited<ReturnType<typeof world>>;
type Change = (world: World) => Promise<unknown>;

const changes: Readonly<Record<string, Change>> = {
  'of a field': ({ api, id }) => api.contacts.patch({ id, first_name: 'Billy' }),
  'of its tags': ({ api, id }) => api.contacts.patch({ id, tags: 'Seller, Buyer' }),
  'of no tag but what is between them': ({ api, id }) => api.contacts.patch({ id, tags: 'Buyer,Seller' }),
  'of the name of a tag': ({ api, tag }) => api.tags.patch({ id: tag, content: 'Client' }),
  'that removes a tag': ({ api, tag }) => api.tags.remove({ id: tag }),
  'of the name of its hotness': ({ api, hotness }) => api.hotnesses.patch({ id: hotness, name: 'Very hot' }),
  'of the color of its hotness': ({ api, hotness }) => api.hotnesses.patch({ id: hotness, color: '#ff0000' }),
  'that removes its hotness': ({ api, hotness }) => api.hotnesses.remove({ id: hotness }),
  'of the name of its source': ({ api, source }) => api.contactSources.patch({ id: source, name: 'Sign' }),
  'that removes its source': ({ api, source }) => api.contactSources.remove({ id: source }),
  'of a value': ({ api, id, field }) =>
    api.contacts.patch({ id, custom_fields: [{ id: field, value: '2' }] }),
  'that removes a value': ({ api, id, field }) =>
    api.contacts.patch({ id, custom_fields: [{ id: field, value: null }] }),
  'of the name of a custom field': ({ api, field }) => api.customFields.patch({ id: field, name: 'Limit' }),
  'that adds a custom field': ({ api }) => api.customFields.create({ name: 'Pets', data_type: 'Text' }),
  'that removes a custom field': ({ api, field }) => api.customFields.remove({ id: field }),
  'of an address': ({ api, address }) => api.addresses.patch({ ...address, city: 'Vancouver' }),
  'that adds an address': ({ api, id }) => api.addresses.create({ contact_id: id, city: 'Vancouver' }),
  'that removes an address': ({ api, address }) => api.addresses.remove(address),
  'of its last activity': ({ api, id }) => api.events.create({ contact_id: id, type: 'viewed' }),
};

describe('a list of contacts that was read before shows a change', () => {
  it.each(Object.entries(changes))('%s', async (_, change) => {
    const current = await world();
    // The first is read in full, and so is the next one, which says that others will be known.
    for (let time = 1; time <= 2; time++) await current.listed();
    const before = await current.listed();
    await change(current);
    const after = await current.listed();
    expect(after).not.toEqual(before);
    expect(await current.listed()).toEqual(after);
  });

  it('that is undone', async () => {
    const { api, id, listed } = await world();
    const names: (string | null | undefined)[] = [];
    for (const first_name of ['A', 'A', 'B', 'A']) {
      await api.contacts.patch({ id, first_name });
      names.push((await listed())[0]?.first_name);
    }
    expect(names).toEqual(['A', 'A', 'B', 'A']);
  });

  it('with the time of an earlier one', async () => {
    const { api, id, address, listed } = await world();
    const move = async (city: string, day: number) => {
      const modified_at = `2026-03-0${day}T09:00:00.000Z`;
      await api.contacts.patch({ id, addresses: [{ id: address.id, city }], modified_at });
    };
    await move('Nanaimo', 1);
    for (let time = 1; time <= 3; time++) await listed();
    await move('Sooke', 2);
    await move('Duncan', 1);
    expect((await listed())[0]?.addresses[0]?.city).toBe('Duncan');
  });
});

it('a list shows each user the custom fields of that user', async () => {
  const { who, api, listed } = await world();
  const mate = contacts.as(someone({ teammate_ids: [who.id], sharing_teammate_ids: [who.id] }));
  const theirs = await mate.customFields.create({ name: 'Pets', data_type: 'Text' });
  for (let time = 1; time <= 3; time++) {
    const shown = await Promise.all(
      [api, mate].map(async ({ contacts: { find } }) => (await find({ $sort: { id: 1 } })).data),
    );
    const names = shown.map(([contact]) => contact?.custom_fields.map(({ name }) => name));
    expect(names).toEqual([['Budget'], [theirs.name]]);
    await listed();
  }
});
