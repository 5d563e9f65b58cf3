import { someone, teammateOf } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { contactsUnderTest } from '../../test/harness.ts';
import { forgetRemovedTags } from './tag.queries.ts';

const contacts = await contactsUnderTest();
afterAll(contacts.close);

/** Every row of contacts and of their tags, with its physical location and its last writer. */
const physicalRows = async () => [
  await contacts.rows('select *, ctid::text, xmin::text from contact_tags order by contact_id, position'),
  await contacts.rows('select *, ctid::text, xmin::text from contacts order by id'),
];

describe('tags', () => {
  it.each(['get', 'patch', 'remove'] as const)('of a stranger do not exist for %s', async (verb) => {
    const { id } = await contacts.as(someone()).tags.create({ content: 'Buyer' });
    const stranger = contacts.as(someone()).tags;
    await expect(stranger[verb]({ id, content: 'Mine' })).rejects.toMatchObject({
      name: 'NotFound',
      message: `No record found for id '${id}'`,
    });
    expect(await stranger.find({})).toMatchObject({ total: 0, data: [] });
    expect(await contacts.rows('select content, removed_at from tags where id = $1', [id])).toEqual([
      { content: 'Buyer', removed_at: null },
    ]);
  });

  it('exist once per user, however often they are added', async () => {
    const [anna, ben] = [contacts.as(someone()), contacts.as(someone())];
    const first = await anna.tags.create({ content: 'Buyer' });
    expect(first).toEqual({ id: first.id, content: 'Buyer' });
    expect(await anna.tags.create({ content: 'Buyer' })).toEqual(first);
    expect((await anna.tags.create({ content: 'buyer' })).id).not.toBe(first.id);
    expect((await ben.tags.create({ content: 'Buyer' })).id).not.toBe(first.id);
    expect(await anna.tags.find({ content: { $ne: 'buyer' } })).toMatchObject({ total: 1, data: [first] });
  });

  it.each(['', ',', 'Buyer, Seller', ' Buyer', 'Buyer\n', ' ', 'x'.repeat(509)])(
    'are rejected when they are not a single tag: %j',
    async (content) => {
      const { tags } = contacts.as(someone());
      const { id } = await tags.create({ content: 'x'.repeat(508) });
      const refusal = { name: 'BadRequest', errors: { content: expect.any(String) } };
      await expect(tags.create({ content })).rejects.toMatchObject(refusal);
      await expect(tags.patch({ id, content })).rejects.toMatchObject(refusal);
      expect(await tags.find({})).toMatchObject({ total: 1, data: [{ content: 'x'.repeat(508) }] });
    },
  );

  it('cannot be renamed to another tag of the same user', async () => {
    const { tags } = contacts.as(someone());
    const { id } = await tags.create({ content: 'Buyer' });
    const seller = await tags.create({ content: 'Seller' });
    await contacts.as(someone()).tags.create({ content: 'Tenant' });

    await expect(tags.patch({ id, content: 'Seller' })).rejects.toMatchObject({
      name: 'Conflict',
      errors: { content: '"Seller" already exists' },
    });
    expect(await tags.get({ id })).toEqual({ id, content: 'Buyer' });
    expect(await tags.patch({ id, content: 'Buyer' })).toEqual({ id, content: 'Buyer' });
    expect(await tags.patch({ id, content: 'Tenant' })).toEqual({ id, content: 'Tenant' });
    await tags.remove({ id: seller.id });
    expect(await tags.patch({ id, content: 'Seller' })).toEqual({ id, content: 'Seller' });
  });

  it('written to a contact belong to its owner, even if its assignee writes them', async () => {
    const ben = someone();
    const anna = teammateOf(ben);
    const { id } = await contacts.as(anna).contacts.create({ tags: 'Buyer', assigned_user_id: ben.id });
    expect(await contacts.as(ben).contacts.patch({ id, tags: 'Buyer, Landlord' })).toMatchObject({
      tags: 'Buyer, Landlord',
    });
    const { data } = await contacts.as(anna).tags.find({});
    expect(data).toMatchObject([{ content: 'Buyer' }, { content: 'Landlord' }]);
    expect(await contacts.as(ben).tags.find({})).toMatchObject({ total: 0 });
  });

  it('are renamed on all contacts by writing one row', async () => {
    const { tags, contacts: api } = contacts.as(someone());
    const texts = ['Buyer', 'Seller,  Buyer ,', 'Buyer,Buyer', 'Buyers', null];
    for (const text of texts) await api.create({ tags: text });
    const [buyer] = (await tags.find({ content: 'Buyer' })).data;
    const before = await physicalRows();
    await tags.patch({ id: buyer?.id ?? 0, content: 'Purchaser' });

    expect(await physicalRows()).toEqual(before);
    expect((await api.find({})).data.map((contact) => contact.tags)).toEqual([
      'Purchaser',
      'Seller,  Purchaser ,',
      'Purchaser,Purchaser',
      'Buyers',
      null,
    ]);
    expect(await api.find({ tags: 'Purchaser' })).toMatchObject({ total: 3 });
    expect(await api.find({ tags: 'Buyer' })).toMatchObject({ total: 0 });
  });

  it.each([
    ['Old', ''],
    ['Old, A', 'A'],
    ['A, Old', 'A'],
    ['A,Old,  B', 'A,  B'],
    ['Old, Old, A, Old, B', 'A, B'],
    [' Old, A ', ' A '],
    ['A, B', 'A, B'],
  ])('turn %j into %j when they are removed, and no row of the contact is written', async (text, left) => {
    const { tags, contacts: api } = contacts.as(someone());
    const { id } = await api.create({ tags: text });
    const old = await tags.create({ content: 'Old' });
    const before = await physicalRows();
    expect(await tags.remove({ id: old.id })).toEqual(old);

    expect(await physicalRows()).toEqual(before);
    expect(await api.get({ id })).toMatchObject({ tags: left });
    expect(await api.find({ tags: 'Old' })).toMatchObject({ total: 0 });
    expect(await api.find({ tags: left })).toMatchObject({ total: 1 });
    await expect(tags.get({ id: old.id })).rejects.toMatchObject({ name: 'NotFound' });
    await expect(tags.remove({ id: old.id })).rejects.toMatchObject({ name: 'NotFound' });

    // Their rows are deleted later, which makes no visible difference.
    await forgetRemovedTags(contacts.rows);
    expect(await api.get({ id })).toMatchObject({ tags: left });
    expect(await contacts.rows('select from tags where removed_at is not null')).toEqual([]);
    expect(await contacts.rows('select from contact_tags where tag_id = $1', [old.id])).toEqual([]);
  });

  it('that are created again do not reappear on the contacts that had them', async () => {
    const { tags, contacts: api } = contacts.as(someone());
    const { id } = await api.create({ tags: 'Buyer, Seller' });
    const buyer = await tags.create({ content: 'Buyer' });
    await tags.remove({ id: buyer.id });
    expect((await tags.create({ content: 'Buyer' })).id).not.toBe(buyer.id);
    expect(await api.get({ id })).toMatchObject({ tags: 'Seller' });
    expect(await api.create({ tags: 'Buyer' })).toMatchObject({ tags: 'Buyer' });
    expect(await api.find({ tags: 'Buyer' })).toMatchObject({ total: 1 });
  });

  it('are added once by concurrent writes of contacts, which never deadlock', async () => {
    const anna = someone();
    const { tags, contacts: api } = contacts.as(anna);
    const turns = [1, 2, 3, 4, 5];
    for (const turn of turns) {
      const names = Array.from({ length: 100 }, (_, index) => `${turn}${index}`);
      const [there, back] = [names.join(), names.toReversed().join()];
      const texts = Array.from({ length: 10 }, (_, index) => (index % 2 ? there : back));
      const made = await Promise.all(texts.map((text) => api.create({ tags: text })));
      expect(made.map((contact) => contact.tags)).toEqual(texts);
    }
    expect(await tags.find({})).toMatchObject({ total: 100 * turns.length });
    const created = (await contacts.published()).filter(
      ({ type, data }) => type === 'crm.contacts.tag.created' && data.user_id === anna.id,
    );
    expect(created).toHaveLength(100 * turns.length);

    // Each connection reports its statistics when it is next idle; the sleep makes the pool use all connections.
    const flush = () => contacts.rows('select pg_stat_force_next_flush(), pg_sleep(0.1)');
    await Promise.all(Array.from({ length: 10 }, flush));
    const [counted] = await contacts.rows(
      'select deadlocks from pg_stat_database where datname = current_database()',
    );
    expect(counted).toEqual({ deadlocks: '0' });
  });

  // Otherwise a response would show a tag that was not sent, or none.
  it.each([
    ['renamed', ['Purchaser', 'Buyer']],
    ['removed', ['', 'Buyer']],
  ] as const)(
    'that are %s while they are added to a contact are returned as they were sent',
    async (change, left) => {
      const { tags, contacts: api } = contacts.as(someone());
      for (let turn = 0; turn < 25; turn++) {
        const { id } = await tags.create({ content: 'Buyer' });
        const changing =
          change === 'removed' ? tags.remove({ id }) : tags.patch({ id, content: `Purchaser ${turn}` });
        const texts = Array.from({ length: 4 }, () => 'Buyer');
        const made = await Promise.all([...texts.map((text) => api.create({ tags: text })), changing]);
        expect(made.slice(0, 4)).toMatchObject(texts.map((text) => ({ tags: text })));
        for (const contact of made.slice(0, 4)) {
          const now = (await api.get({ id: contact.id })).tags?.replace(/ \d+$/, '');
          expect(left).toContain(now);
        }
      }
    },
  );

  it('publish events with increasing versions, also those written to a contact', async () => {
    const anna = someone();
    const { tags, contacts: api } = contacts.as(anna);
    const contact = await api.create({ tags: 'Buyer' });
    await api.patch({ id: contact.id, tags: 'Buyer, Buyer' });
    const { id } = await tags.create({ content: 'Buyer' });
    await tags.patch({ id, content: 'Purchaser' });
    await tags.remove({ id });

    const events = (await contacts.published()).filter(({ type }) => type.startsWith('crm.contacts.'));
    const data = { tag_id: id, user_id: anna.id };
    expect(events.filter((event) => event.data.tag_id === id)).toMatchObject([
      { type: 'crm.contacts.tag.created', data, aggregateversion: 1 },
      { type: 'crm.contacts.tag.changed', data, aggregateversion: 2 },
      { type: 'crm.contacts.tag.removed', data, aggregateversion: 3 },
    ]);
    expect(events.filter((event) => event.data.contact_id === contact.id)).toMatchObject([
      { type: 'crm.contacts.contact.created', aggregateversion: 1 },
      { type: 'crm.contacts.contact.changed', aggregateversion: 2, data: { fields: ['tags'] } },
    ]);
  });
});
