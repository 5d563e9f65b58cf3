import { afterAll, describe, expect, it } from 'vitest';
import { bulkOperating } from '../../test/bulk-operating.ts';

const contacts = await bulkOperating();
afterAll(contacts.close);
const { add, done, person } = contacts;

describe('a search that selects contacts for an operation', () => {
  it('finds no similar words, so that a repeated removal leaves all other contacts', async () => {
    const anna = await person();
    await add(anna, ['Harrison', 'Harison', 'Harrisson']);
    const remove = () => done(anna, { action: 'remove', filter: { $search: 'harrison' } });
    expect([(await remove()).total, (await remove()).total]).toEqual([1, 0]);
    const { data } = await contacts.as(anna).contacts.find({ $sort: { id: 1 } });
    expect(data.map(({ first_name }) => first_name)).toEqual(['Harison', 'Harrisson']);
  });

  it('finds no similar words when the contacts with the right ones no longer match another condition', async () => {
    const anna = await person();
    const ids = await add(anna, ['Harrison', 'Harison', 'Harry']);
    const request = {
      action: 'tag',
      tags: 'Met',
      filter: { $search: 'harrison', tags: { $ne: 'Met' } },
    } as const;
    expect([(await done(anna, request)).total, (await done(anna, request)).total]).toEqual([1, 0]);
    const met = await contacts.as(anna).contacts.find({ tags: 'Met' });
    expect(met.data.map(({ id }) => id)).toEqual(ids.slice(0, 1));
  });

  it('finds parts of words, as the list does', async () => {
    const anna = await person();
    await add(anna, ['Harrison', 'Harry', 'Miller']);
    expect(await done(anna, { action: 'tag', tags: 'H', filter: { $search: 'harr' } })).toMatchObject({
      total: 2,
    });
  });
});
