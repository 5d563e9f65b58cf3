import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refuseMany } from '../test/refuse-many.ts';
import { contactsWithIdentity } from '../test/with-identity.ts';
import { forgetRemoved } from './forget-removed.ts';

const contacts = await contactsWithIdentity();
afterAll(contacts.close);
const { rows } = contacts;

const many = 12_000;
const hidden = { name: 'NotFound' };

beforeAll(() => refuseMany(rows, ['custom_field_values', 'static_list_contacts']));

/** A user with very many contacts. */
async function owner() {
  const anna = await contacts.person();
  await rows(
    `insert into contacts (owner_user_id, first_name, created_at, modified_at)
     select $1, 'Bill', now(), now() from generate_series(1, ${many})`,
    [anna.id],
  );
  return { anna, api: contacts.as(anna) };
}

describe('a custom field that very many contacts have', () => {
  it('is hidden everywhere when it was removed, and its values are deleted after that', async () => {
    const { anna, api } = await owner();
    const { id } = await api.customFields.create({ name: 'Pets', data_type: 'Number' });
    const other = await api.customFields.create({ name: 'Cars', data_type: 'Number' });
    await rows(
      'insert into custom_field_values select id, $2::int, 7 from contacts where owner_user_id = $1',
      [anna.id, id],
    );
    expect(await api.customFields.remove({ id })).toMatchObject({ id, name: 'Pets' });
    const { get, find, patch, remove } = api.customFields;
    for (const ask of [() => get({ id }), () => patch({ id, name: 'X' }), () => remove({ id })])
      await expect(ask()).rejects.toMatchObject(hidden);
    expect((await find({})).data).toMatchObject([{ id: other.id }]);
    const [contact] = (await api.contacts.find({ $limit: 1 })).data;
    expect(contact?.custom_fields.map((field) => field.id)).toEqual([other.id]);
    const one = await api.contacts.get({ id: contact?.id ?? 0 });
    expect(one.custom_fields.map((field) => field.id)).toEqual([other.id]);
    const invalid = { name: 'BadRequest', message: expect.stringContaining('does not exist') };
    const custom_fields = [{ id, value: '8' }];
    await expect(api.contacts.patch({ id: one.id, custom_fields })).rejects.toMatchObject(invalid);
    await expect(api.contacts.find({ [`custom_fields.${id}`]: '7' })).rejects.toMatchObject(invalid);
    const { text } = await api.exports.contacts({});
    expect(text.slice(0, text.indexOf('\n'))).not.toContain('Pets');
    const [row] = await api.importedRows.add({
      rows: [{ key: 'a', contact: { custom_fields }, shared_with: [] }],
    });
    expect(row).toMatchObject({ errors: { 'custom_fields.0.id': `'${id}' does not exist` } });
    await forgetRemoved(contacts.database.query);
    expect(await rows('select from custom_fields where id = $1', [id])).toEqual([]);
    expect(await rows('select from custom_field_values where custom_field_id = $1', [id])).toEqual([]);
  });
});

describe('a static list of very many contacts', () => {
  it('is hidden everywhere when it was removed, and its rows are deleted after that', async () => {
    const { anna, api } = await owner();
    const { id } = await api.staticLists.create({ list_name: 'All' });
    const other = await api.staticLists.create({ list_name: 'None' });
    await rows(
      'insert into static_list_contacts select $2::int, id, now() from contacts where owner_user_id = $1',
      [anna.id, id],
    );
    expect(await api.staticLists.remove({ id })).toMatchObject({ id, list_name: 'All' });
    const [contact] = (await api.contacts.find({ $limit: 1 })).data;
    const contact_id = contact?.id ?? 0;
    const { find, add, remove } = api.staticListContacts;
    for (const ask of [
      () => api.staticLists.get({ id }),
      () => api.staticLists.remove({ id }),
      () => find({ static_list_id: id }),
      () => add({ static_list_id: id, contacts_list: [contact_id] }),
      () => remove({ static_list_id: id, contact_id }),
    ])
      await expect(ask()).rejects.toMatchObject(hidden);
    expect((await api.staticLists.find({})).data).toMatchObject([{ id: other.id }]);
    const listing = api.bulkOperations.create({
      action: 'list',
      static_list_id: id,
      contact_ids: [contact_id],
    });
    await expect(listing).rejects.toMatchObject({
      errors: { static_list_id: expect.stringContaining('does not exist') },
    });
    await forgetRemoved(contacts.database.query);
    expect(await rows('select from static_lists where id = $1', [id])).toEqual([]);
    expect(await rows('select from static_list_contacts where static_list_id = $1', [id])).toEqual([]);
  });
});
