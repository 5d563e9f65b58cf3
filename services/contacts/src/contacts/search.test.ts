import { searchPage } from '@crm/data';
import { agentOf, someone, teammateOf } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { contactsUnderTest } from '../../test/harness.ts';
import { contactApi } from './contact.api.ts';
import { searchedContacts } from './search.queries.ts';

const contacts = await contactsUnderTest();
afterAll(contacts.close);

/** What a user finds with some words, as first names. */
async function found(user: ReturnType<typeof someone>, $search: string, more: object = {}) {
  const { data, total } = await contacts.as(user).contacts.find({ $search, ...more });
  expect(total).toBeGreaterThanOrEqual(data.length);
  return data.map(({ first_name }) => first_name);
}

const add = (user: ReturnType<typeof someone>, contact: object) => contacts.as(user).contacts.create(contact);

describe('a search of contacts', () => {
  it('finds what a contact, its addresses and its tags contain, at once', async () => {
    const anna = someone();
    const { id } = await add(anna, {
      first_name: 'Zoë',
      last_name: "O'Brien-Smith",
      email: 'Zoe.Ob@example.com',
      company: 'Łódź Café',
      mobile_phone: '1 (604) 555-4572',
      tags: 'Very Important, Buyer',
      addresses: [{ street_address_1: '12 Elm Street', city: 'Vancouver', zip: '98101-1234' }],
    });
    for (const words of [
      'zoe',
      'ZOË',
      "o'brien",
      'brien smith',
      'zoe.ob@example.com',
      'lodz cafe',
      'elm vanc',
      '98101-1234',
      'important',
      'buyer zoe',
      '604 555 4572',
      '+1 604-555-4572',
      '001 (604) 555.4572',
      'zoe 6045554572',
      '5554572',
    ])
      expect(await found(anna, words), words).toEqual(['Zoë']);
    for (const words of ['zoe smith brown', 'lm', '6045554573', 'seller'])
      expect(await found(anna, words), words).toEqual([]);

    const [address] = (await contacts.as(anna).contacts.get({ id })).addresses;
    await contacts.as(anna).contacts.patch({
      id,
      first_name: 'Mia',
      email: null,
      addresses: [{ id: address?.id ?? 0, city: 'Toronto' }],
      tags: 'Seller',
    });
    for (const words of ['zoe obrien', 'vancouver', 'buyer'])
      expect(await found(anna, words), words).toEqual([]);
    expect(await found(anna, 'mia toronto seller')).toEqual(['Mia']);
    await contacts.as(anna).addresses.remove({ contact_id: id, id: address?.id ?? 0 });
    expect(await found(anna, 'toronto')).toEqual([]);
    const [tag] = (await contacts.as(anna).tags.find({ content: 'Seller' })).data;
    await contacts.as(anna).tags.patch({ id: tag?.id ?? 0, content: 'Landlord' });
    expect(await found(anna, 'landlord')).toEqual(['Mia']);
    await contacts.as(anna).tags.remove({ id: tag?.id ?? 0 });
    expect(await found(anna, 'landlord')).toEqual([]);
  });

  it('finds words that are too many for an entry of an index', async () => {
    const ben = someone();
    const anna = teammateOf(ben);
    const addresses = Array.from({ length: 40 }, (_, index) => ({
      street_address_1: `${index} Ελευθερίου Βενιζέλου και Παπαναστασίου`,
    }));
    const { id } = await add(anna, { first_name: 'Long', addresses, assigned_user_id: ben.id });
    await contacts.as(anna).addresses.create({ contact_id: id, city: 'Thessaloniki' });
    for (const user of [anna, ben])
      for (const words of ['long', 'thessaloniki', 'tessaloniki', 'βενιζέλου 39'])
        expect(await found(user, words), words).toEqual(['Long']);
    const [row] = await contacts.rows(
      'select octet_length(search_text) as bytes from contacts where id = $1',
      [id],
    );
    expect(row?.bytes).toBeGreaterThan(2704);
  });

  it('finds words with one wrong letter only if nothing contains the words as they are', async () => {
    const anna = someone();
    await add(anna, { first_name: 'Jonathan', last_name: 'Anna' });
    for (const words of ['jonatan', 'jonathann', 'jonahtan', 'jpnathan', 'onathan', 'anan', 'jonatan anna'])
      expect(await found(anna, words), words).toEqual(['Jonathan']);
    for (const words of ['jonatn', 'nathonn', 'ana jonathon ben'])
      expect(await found(anna, words), words).toEqual([]);
    await add(anna, { first_name: 'Jonatan' });
    expect(await found(anna, 'jonatan')).toEqual(['Jonatan']);
  });

  it('finds no words with a wrong letter if it takes too long to know that they are needed', async () => {
    const anna = someone();
    for (const first_name of ['Smith', 'Smyth']) await add(anna, { first_name });
    await add(anna, { first_name: 'Jones', assigned_user_id: anna.id });
    const { query } = contacts.database;
    const late = async (word: string, more: object = {}, records = 2) => {
      const { $search: _, ...find } = contactApi.find.input.parse({ $limit: 1, ...more });
      const patience = { ms: 0, records };
      const { text } = await searchPage(query, searchedContacts, anna, find, [word], { patience });
      return JSON.parse(text) as { readonly total: number; readonly next?: string | null };
    };
    expect(await late('smiht')).toMatchObject({ total: 0 });
    expect(await late('smiht', { $after: '' })).toMatchObject({ total: 0, next: null });
    expect(await late('jones')).toMatchObject({ total: 1 });
    // As many contacts as she sees, one of them for two reasons.
    expect(await late('smiht', {}, 3)).toMatchObject({ total: 1 });
    // Whoever has seen some of them is shown the others.
    expect(await late('smoth', { $skip: 1 })).toMatchObject({ total: 2 });
    const { next } = await contacts.as(anna).contacts.find({ $search: 'smoth', $limit: 1, $after: '' });
    expect(await late('smoth', { $after: next })).toMatchObject({ total: 2, data: [{}], next: null });
  });

  it('lists whole words before starts and parts of words, names before the rest, then the last changed', async () => {
    const anna = someone();
    await add(anna, { first_name: 'Part', last_name: 'Rosemary' });
    await add(anna, { first_name: 'Company', company: 'Mary' });
    await add(anna, { first_name: 'Start', last_name: 'Marylou' });
    await add(anna, { first_name: 'Tag', tags: 'Maryland' });
    await add(anna, { first_name: 'Early', last_name: 'Mary', modified_at: '2020-01-01T00:00:00Z' });
    await add(anna, { first_name: 'Late', last_name: 'Mary', modified_at: '2021-01-01T00:00:00Z' });
    const ranked = ['Late', 'Early', 'Company', 'Start', 'Tag', 'Part'];
    expect(await found(anna, 'mary')).toEqual(ranked);
    expect(await found(anna, 'mary', { $limit: 2, $skip: 1 })).toEqual(ranked.slice(1, 3));
    expect(await found(anna, 'mary', { $sort: { first_name: 1 } })).toEqual(ranked.toSorted());
    expect(await found(anna, 'mary', { company: 'Mary' })).toEqual(['Company']);
  });

  it('finds only what the caller sees, for each reason', async () => {
    const ben = someone();
    const anna = { ...teammateOf(ben), sharing_teammate_ids: [] };
    const sharing = { ...someone(), teammate_ids: [anna.id], sharing_teammate_ids: [anna.id] };
    await add(anna, { first_name: 'Assigned', last_name: 'Keller', assigned_user_id: ben.id, tags: 'Zebra' });
    await add(anna, { first_name: 'Own', last_name: 'Keller', tags: 'Zebra' });
    expect((await found(anna, 'keller')).sort()).toEqual(['Assigned', 'Own']);
    expect(await found(ben, 'keller')).toEqual(['Assigned']);
    expect(await found(ben, 'zebra')).toEqual(['Assigned']);
    expect((await found(sharing, 'zebra')).sort()).toEqual(['Assigned', 'Own']);
    expect(await found(agentOf(anna), 'keller')).toEqual([]);
    expect(await found(someone(), 'keller')).toEqual([]);
  });

  it('and a list of contacts can ask for those with an e-mail address or a phone', async () => {
    const anna = someone();
    await add(anna, { first_name: 'Both', email: 'a@example.com', home_phone: '604-555-4572' });
    await add(anna, { first_name: 'Mail', email: 'b@example.com', mobile_phone: '' });
    await add(anna, { first_name: 'Phone', email: '', office_phone: 'unknown' });
    await add(anna, { first_name: 'None', fax: '604-555-4573' });
    const names = async (asked: object) =>
      (await contacts.as(anna).contacts.find(asked)).data.map(({ first_name }) => first_name);
    expect(await names({ has_email: true })).toEqual(['Both', 'Mail']);
    expect(await names({ has_email: false })).toEqual(['Phone', 'None']);
    expect(await names({ has_phone: true })).toEqual(['Both', 'Phone']);
    expect(await names({ has_phone: false, has_email: true })).toEqual(['Mail']);
    expect(await names({ has_phone: false, $search: '604 555' })).toEqual(['None']);
  });

  it.each([
    ['a', 'must have 2 to 100 characters'],
    ['   a  ', 'must have 2 to 100 characters'],
    ['x'.repeat(101), 'must have 2 to 100 characters'],
    ['--', 'must contain a letter or a digit'],
    ['a b c d e f g h i', 'must have at most 8 words'],
  ])('of %j is refused', async ($search, message) => {
    await expect(contacts.as(someone()).contacts.find({ $search })).rejects.toMatchObject({
      name: 'BadRequest',
      errors: { $search: message },
    });
  });
});
