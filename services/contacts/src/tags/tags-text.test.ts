import { migrate, openDatabase } from '@crm/data';
import { freshDatabase, someone } from '@crm/testing';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { contactsUnderTest } from '../../test/harness.ts';
import { contactsStore } from '../store.ts';
import { tagsText } from './tag.queries.ts';

const contacts = await contactsUnderTest();
afterAll(contacts.close);

const part = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(',', ', ', ' ', '\t', ' ,\n') },
  { weight: 2, arbitrary: fc.constantFrom('Buyer', 'Potential Landlord', 'buyer', '%', '\\', "'") },
  fc.string({ unit: 'grapheme', maxLength: 8 }).filter((text) => !text.includes('\u0000')),
);
const texts = fc
  .array(part, { maxLength: 20 })
  .map((parts) => parts.join(''))
  .filter((text) => text.length <= 508);

describe('the text of the tags of a contact', () => {
  it('is returned character for character, whatever was stored before', async () => {
    const { contacts: api } = contacts.as(someone());
    const { id } = await api.create({});
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        expect((await api.create({ tags: text })).tags).toBe(text);
        expect((await api.patch({ id, tags: text })).tags).toBe(text);
        expect((await api.get({ id })).tags).toBe(text);
        expect((await api.find({ id, tags: text })).total).toBe(1);
      }),
      { numRuns: 60 },
    );
  });

  it('distinguishes an empty text from null', async () => {
    const { contacts: api } = contacts.as(someone());
    const none = await api.create({});
    const empty = await api.create({ tags: '' });
    expect([none.tags, empty.tags]).toEqual([null, '']);
    // A query string has no other way to ask for contacts without tags.
    const ids = [{ id: none.id }, { id: empty.id }];
    expect(await api.find({ tags: '' })).toMatchObject({ total: 2, data: ids });
    expect(await api.find({ tags: null })).toMatchObject({ total: 1, data: [{ id: none.id }] });
    expect((await api.patch({ id: empty.id, company: 'Ng Ltd' })).tags).toBe('');
    expect((await api.patch({ id: empty.id, tags: null })).tags).toBeNull();
    expect((await api.patch({ id: none.id, tags: 'Buyer' })).tags).toBe('Buyer');
    expect((await api.patch({ id: none.id, tags: null })).tags).toBeNull();
    expect(await api.find({ tags: 'Buyer' })).toMatchObject({ total: 0 });
  });

  it('keeps empty parts between commas, and creates no tags for them', async () => {
    const { contacts: api, tags } = contacts.as(someone());
    const text = ' ,, Buyer ,,Seller, Buyer,';
    expect(await api.create({ tags: text })).toMatchObject({ tags: text });
    expect((await tags.find({ $sort: { content: 1 } })).data).toMatchObject([
      { content: 'Buyer' },
      { content: 'Seller' },
    ]);
  });

  it('has at most 508 characters', async () => {
    const { contacts: api, tags } = contacts.as(someone());
    const longest = Array.from({ length: 254 }, (_, index) => (index % 2 ? 'a' : 'b')).join(',');
    const { id } = await api.create({ tags: `${longest},` });
    expect(await api.get({ id })).toMatchObject({ tags: `${longest},` });
    await expect(api.patch({ id, tags: `${longest},c` })).rejects.toMatchObject({
      errors: { tags: 'must have at most 508 characters' },
    });
    // Renaming a tag may make the text longer than one that can be sent.
    const [a] = (await tags.find({ content: 'a' })).data;
    await tags.patch({ id: a?.id ?? 0, content: 'x'.repeat(508) });
    expect((await api.get({ id })).tags).toBe(`${longest},`.replaceAll('a', 'x'.repeat(508)));
  });

  it('can be filtered by as a whole or by one tag, compared and sorted', async () => {
    const { contacts: api } = contacts.as(someone());
    const made = ['Buyer, Landlord', 'Seller', 'Buyers', null, ''];
    for (const text of made) await api.create({ tags: text });
    const found = async (query: Parameters<typeof api.find>[0]) =>
      (await api.find(query)).data.map((contact) => contact.tags);

    expect(await found({ tags: 'Buyer, Landlord' })).toEqual(['Buyer, Landlord']);
    expect(await found({ tags: 'Landlord' })).toEqual(['Buyer, Landlord']);
    expect(await found({ tags: 'landlord' })).toEqual([]);
    expect(await found({ tags: 'Landlord, Buyer' })).toEqual([]);
    expect(await found({ tags: { $in: ['Landlord', 'Seller', ''] } })).toEqual([
      'Buyer, Landlord',
      'Seller',
      null,
      '',
    ]);
    expect(await found({ tags: { $in: ['Buyer, Landlord', 'Seller, Buyer'] } })).toEqual(['Buyer, Landlord']);
    expect(await found({ tags: { $ne: 'Buyer, Landlord' } })).toEqual(['Seller', 'Buyers', null, '']);
    expect(await found({ tags: null })).toEqual([null]);
    expect(await found({ tags: { $ne: 'Buyer' } })).toEqual(['Seller', 'Buyers', null, '']);
    expect(await found({ tags: { $nin: ['Buyer', 'Seller', ''] } })).toEqual(['Buyers']);
    expect(await found({ tags: { $like: 'buy%' } })).toEqual(['Buyer, Landlord', 'Buyers']);
    expect(await found({ tags: { $gt: 'Buyer, Landlord' } })).toEqual(['Seller', 'Buyers']);
    expect(await found({ tags: { $ne: null }, $sort: { tags: -1 } })).toEqual([
      'Seller',
      'Buyers',
      'Buyer, Landlord',
      '',
    ]);
  });

  it('is removed with the contact, but the tags stay', async () => {
    const { contacts: api, tags } = contacts.as(someone());
    const { id } = await api.create({ tags: 'Buyer, Seller' });
    await api.remove({ id });
    expect(await contacts.rows('select from contact_tags where contact_id = $1', [id])).toEqual([]);
    expect(await tags.find({})).toMatchObject({ total: 2 });
  });

  it('is unchanged by the migration that splits it into tags', async () => {
    const [first] = contactsStore.migrations;
    const fresh = await freshDatabase([{ ...contactsStore, migrations: first ? [first] : [] }]);
    const url = fresh.urls.contacts ?? '';
    const before = [null, '', ' , ', 'Buyer', ' Buyer,,  Potential Landlord ,\n', 'Buyer,Buyer', '﷽,%\\'];
    const database = await openDatabase({ url, store: contactsStore });
    try {
      await database.query(
        `insert into contacts (owner_user_id, tags, created_at, modified_at)
         select 7, text, now(), now() from unnest($1::text[]) text`,
        [before],
      );
      await migrate(url, contactsStore);
      const after = await database.query(`select ${tagsText} as tags from contacts order by id`, []);
      expect(after.map(({ tags }) => tags)).toEqual(before);
      const tags = await database.query('select content from tags where user_id = 7 order by content', []);
      expect(tags.map(({ content }) => content)).toEqual(['%\\', 'Buyer', 'Potential Landlord', '﷽']);
    } finally {
      await database.close();
      await fresh.drop();
    }
  });
});
