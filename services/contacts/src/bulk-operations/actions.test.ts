import { afterAll, describe, expect, it } from 'vitest';
import { bulkOperating } from '../../test/bulk-operating.ts';

const contacts = await bulkOperating();
afterAll(contacts.close);
const { done, add, team } = contacts;

/** Two contacts of the first of two teammates. */
async function two(tags = '') {
  const { anna, ben } = await team();
  const [a = 0, b = 0] = await add(anna, ['A', 'B'], { tags });
  const tagsOf = async () => {
    const { data } = await contacts.as(anna).contacts.find({ $sort: { id: 1 } });
    return data.map((contact) => contact.tags);
  };
  return { anna, ben, a, b, contact_ids: [a, b], tagsOf };
}

describe('a bulk operation', () => {
  it('adds tags to those of each contact that it does not have yet', async () => {
    const { anna, contact_ids, tagsOf } = await two('Buyer,  Seller');
    await done(anna, { action: 'tag', tags: 'Buyer, VIP', contact_ids });
    expect(await tagsOf()).toEqual(['Buyer,  Seller, VIP', 'Buyer,  Seller, VIP']);
  });

  it('removes tags, and leaves a contact that has none of them as it is', async () => {
    const { anna, b, contact_ids, tagsOf } = await two('Buyer,  Seller');
    await done(anna, { action: 'untag', tags: 'Buyer, Unknown', contact_ids: [b] });
    await done(anna, { action: 'untag', tags: 'Unknown', contact_ids });
    expect(await tagsOf()).toEqual(['Buyer,  Seller', 'Seller']);
  });

  it('assigns contacts, and with 0 to nobody', async () => {
    const { anna, ben, a, b, contact_ids } = await two();
    const ofBen = async () => (await contacts.as(ben).contacts.find({})).data.map(({ id }) => id);
    await done(anna, { action: 'assign', assigned_user_id: ben.id, contact_ids });
    expect(await ofBen()).toEqual([a, b]);
    await done(anna, { action: 'assign', assigned_user_id: 0, contact_ids: [b] });
    expect(await ofBen()).toEqual([a]);
  });

  it('shares contacts', async () => {
    const { anna, ben, contact_ids } = await two();
    await done(anna, { action: 'share', user_id: ben.id, contact_ids });
    for (const contact_id of contact_ids)
      expect((await contacts.as(anna).shares.find({ contact_id })).data).toMatchObject([{ user_id: ben.id }]);
  });

  it('adds contacts to a static list', async () => {
    const { anna, contact_ids } = await two();
    const { staticLists, staticListContacts } = contacts.as(anna);
    const { id: static_list_id } = await staticLists.create({ list_name: 'Spring' });
    await done(anna, { action: 'list', static_list_id, contact_ids });
    expect((await staticListContacts.find({ static_list_id })).total).toBe(2);
  });

  it('removes contacts', async () => {
    const { anna, a, b } = await two();
    const removal = await done(anna, { action: 'remove', contact_ids: [b] });
    expect(removal).toMatchObject({ processed: 1, failed: 0 });
    expect((await contacts.as(anna).contacts.find({})).data.map(({ id }) => id)).toEqual([a]);
  });
});
