import { agentOf, someone, teammateOf } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { contactsUnderTest } from '../../test/harness.ts';
import { forgetRemoved } from '../forget-removed.ts';

const contacts = await contactsUnderTest();
afterAll(contacts.close);

const kids = { name: 'Kids Names', rank: 1, data_type: 'Text' } as const;

describe('a custom field', () => {
  it('has a name and a data type, and comes last if it has no rank', async () => {
    const anna = someone();
    const { customFields } = contacts.as(anna);
    const made = await customFields.create({ name: 'Budget', data_type: 'Dollar Amt' });
    expect(made).toEqual({
      id: made.id,
      user_id: anna.id,
      name: 'Budget',
      rank: 99_999,
      data_type: 'Dollar Amt',
    });
    const changed = await customFields.patch({ id: made.id, rank: '-3', data_type: 'Number' });
    expect(changed).toEqual({ ...made, rank: -3, data_type: 'Number' });
    expect(await customFields.get({ id: made.id })).toEqual(changed);
  });

  it.each([
    [{ data_type: 'Text' }, 'name'],
    [{ name: '', data_type: 'Text' }, 'name'],
    [{ name: 'x'.repeat(256), data_type: 'Text' }, 'name'],
    [{ name: 'Kids' }, 'data_type'],
    [{ name: 'Kids', data_type: 'text' }, 'data_type'],
    [{ ...kids, rank: 'first' }, 'rank'],
  ])('is rejected as %j because of its %s', async (draft, field) => {
    const { customFields } = contacts.as(someone());
    const refusal = { name: 'BadRequest', errors: { [field]: expect.any(String) } };
    await expect(customFields.create(draft as typeof kids)).rejects.toMatchObject(refusal);
    expect(await customFields.find({})).toMatchObject({ total: 0 });
  });

  it('has the default rank if it is sent as null', async () => {
    const { customFields } = contacts.as(someone());
    expect(await customFields.create({ ...kids, rank: null } as never)).toMatchObject({ rank: 99_999 });
  });

  it('is listed by id, whatever its rank', async () => {
    const { customFields } = contacts.as(someone());
    const later = await customFields.create({ ...kids, rank: 9 });
    const sooner = await customFields.create({ ...kids, rank: 2 });
    expect((await customFields.find({})).data).toEqual([later, sooner]);
    expect((await customFields.find({ $sort: { rank: 1 } })).data).toEqual([sooner, later]);
  });

  it('of the broker is shown to sub-accounts if the broker allows it, and cannot be changed by them', async () => {
    const broker = someone();
    const made = await contacts.as(broker).customFields.create(kids);
    const shown = contacts.as(agentOf(broker, { is_custom_fields_enabled: true })).customFields;
    const kept = contacts.as(agentOf(broker, { is_custom_fields_enabled: false })).customFields;

    expect(await shown.find({})).toMatchObject({ total: 1, data: [made] });
    expect(await kept.find({})).toMatchObject({ total: 0 });
    await expect(shown.patch({ id: made.id, name: 'Mine' })).rejects.toMatchObject({ name: 'Forbidden' });
    await expect(shown.remove({ id: made.id })).rejects.toMatchObject({ name: 'Forbidden' });
    await expect(kept.patch({ id: made.id, name: 'Mine' })).rejects.toMatchObject({ name: 'NotFound' });
    expect(await contacts.as(broker).customFields.get({ id: made.id })).toEqual(made);
  });

  it('cannot be created by sub-accounts whose broker forbids it', async () => {
    const kept = contacts.as(agentOf(someone(), { is_custom_fields_new_enabled: false }));
    await expect(kept.customFields.create(kids)).rejects.toMatchObject({ name: 'Forbidden' });
    const free = contacts.as(agentOf(someone(), { is_custom_fields_new_enabled: true }));
    await expect(free.customFields.create(kids)).resolves.toMatchObject(kids);
  });

  it.each(['get', 'patch', 'remove'] as const)(
    'of a stranger or a teammate does not exist for %s',
    async (verb) => {
      const anna = someone();
      const { id } = await contacts.as(anna).customFields.create(kids);
      for (const other of [someone(), teammateOf(anna), someone({ sharing_teammate_ids: [anna.id] })]) {
        await expect(contacts.as(other).customFields[verb]({ id })).rejects.toMatchObject({
          name: 'NotFound',
          message: `No record found for id '${id}'`,
        });
      }
      expect(await contacts.as(anna).customFields.get({ id })).toMatchObject(kids);
    },
  );

  it('is removed with its values', async () => {
    const { customFields, contacts: api } = contacts.as(someone());
    const [removed, kept] = [await customFields.create(kids), await customFields.create(kids)];
    const { id } = await api.create({
      custom_fields: [
        { id: removed.id, value: 'Ada' },
        { id: kept.id, value: 'Ben' },
      ],
    });
    expect(await customFields.remove({ id: removed.id })).toEqual(removed);
    expect((await api.get({ id })).custom_fields).toEqual([{ ...kept, value: 'Ben' }]);
    await forgetRemoved(contacts.database.query);
    expect(await contacts.rows('select from custom_field_values where contact_id = $1', [id])).toHaveLength(
      1,
    );
  });

  it('publishes events with increasing versions', async () => {
    const anna = someone();
    const { customFields } = contacts.as(anna);
    const { id } = await customFields.create(kids);
    await customFields.patch({ id, name: 'Children' });
    await customFields.remove({ id });

    const data = { custom_field_id: id, user_id: anna.id };
    const events = (await contacts.published()).filter((event) => event.data.custom_field_id === id);
    expect(events).toMatchObject([
      { type: 'crm.contacts.custom-field.created', data, aggregateversion: 1 },
      { type: 'crm.contacts.custom-field.changed', data, aggregateversion: 2 },
      { type: 'crm.contacts.custom-field.removed', data, aggregateversion: 3 },
    ]);
  });
});
