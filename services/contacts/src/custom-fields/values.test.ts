import { agentOf, someone, teammateOf } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { contactsUnderTest } from '../../test/harness.ts';

const contacts = await contactsUnderTest();
afterAll(contacts.close);

const kids = { name: 'Kids Names', rank: 1, data_type: 'Text' } as const;
const budget = { name: 'Budget', rank: 2, data_type: 'Dollar Amt' } as const;

describe('values of custom fields', () => {
  it('are shown for every field that the caller sees, by rank and then by id, or null', async () => {
    const { customFields, contacts: api } = contacts.as(someone());
    const last = await customFields.create({ ...kids, rank: 9 });
    const second = await customFields.create({ ...kids, rank: 5 });
    const third = await customFields.create({ ...kids, rank: 5 });
    const made = await api.create({ custom_fields: [{ id: third.id, value: 'Ada' }] });

    const shown = [
      { ...second, value: null },
      { ...third, value: 'Ada' },
      { ...last, value: null },
    ];
    expect(made.custom_fields).toEqual(shown);
    expect(Object.keys(made.custom_fields[0] ?? {})).toEqual([
      'id',
      'user_id',
      'name',
      'rank',
      'data_type',
      'value',
    ]);
    expect((await api.get({ id: made.id })).custom_fields).toEqual(shown);
    expect((await api.find({ id: made.id })).data[0]?.custom_fields).toEqual(shown);
    const removed = await api.remove({ id: made.id });
    expect(removed.custom_fields).toEqual(shown);
  });

  it('are changed for the listed fields, and kept for the others', async () => {
    const { customFields, contacts: api } = contacts.as(someone());
    const [a, b] = [await customFields.create(kids), await customFields.create(budget)];
    const { id } = await api.create({
      custom_fields: [
        { id: String(a.id), value: 'Ada' },
        { id: b.id, value: '1' },
      ],
    });
    const valuesAfter = async (change: Parameters<typeof api.patch>[0]) =>
      (await api.patch(change)).custom_fields.map(({ value }) => value);

    expect(await valuesAfter({ id, company: 'Ng Ltd' })).toEqual(['Ada', '1']);
    expect(await valuesAfter({ id, custom_fields: [] })).toEqual(['Ada', '1']);
    expect(await valuesAfter({ id, custom_fields: [{ id: b.id, value: '2' }] })).toEqual(['Ada', '2']);
    expect(await valuesAfter({ id, custom_fields: [{ id: b.id, value: null }] })).toEqual(['Ada', null]);
    expect(await valuesAfter({ id, custom_fields: [{ id: String(a.id), value: '' }] })).toEqual([null, null]);
    const twice = [
      { id: a.id, value: 'first' },
      { id: b.id, value: '3' },
      { id: a.id, value: 'last' },
    ];
    expect(await valuesAfter({ id, custom_fields: twice })).toEqual(['last', '3']);
  });

  it('are strings, even if a number or boolean is sent', async () => {
    const { customFields, contacts: api } = contacts.as(someone());
    const { id: field } = await customFields.create(budget);
    const { id } = await api.create({});
    for (const [sent, stored] of [
      [1234.5, '1234.5'],
      [0, '0'],
      [true, 'true'],
      [false, 'false'],
      [' Ünï, 🏡 \n', ' Ünï, 🏡 \n'],
      ['x'.repeat(2000), 'x'.repeat(2000)],
    ]) {
      const { custom_fields } = await api.patch({ id, custom_fields: [{ id: field, value: sent }] });
      expect(custom_fields).toMatchObject([{ value: stored }]);
    }
  });

  it.each([
    ['x'.repeat(2001), 'must have at most 2000 characters'],
    ['a\u0000b', 'must not contain NUL or an unpaired surrogate'],
    [['a'], 'must be a string'],
    [{}, 'must be a string'],
    [undefined, 'is required'],
  ])('are rejected if they are not strings of up to 2000 characters: %j', async (value, message) => {
    const { customFields, contacts: api } = contacts.as(someone());
    const { id } = await customFields.create(kids);
    const contact = await api.create({ company: 'Ng Ltd', custom_fields: [{ id, value: 'Ada' }] });
    const custom_fields = [
      { id, value: 'Ben' },
      { id, value },
    ];
    await expect(api.patch({ id: contact.id, company: '', custom_fields })).rejects.toMatchObject({
      name: 'BadRequest',
      errors: { 'custom_fields.1.value': message },
    });
    expect(await api.get({ id: contact.id })).toEqual(contact);
  });

  // Different errors would reveal which ids of other users exist.
  it('are rejected for a hidden field like for one that does not exist, and nothing changes', async () => {
    const anna = someone();
    const { id: foreign } = await contacts.as(someone()).customFields.create(kids);
    const { id: teammates } = await contacts.as(teammateOf(anna)).customFields.create(kids);
    const { customFields, contacts: api } = contacts.as(anna);
    const { id: own } = await customFields.create(kids);
    const contact = await api.create({ custom_fields: [{ id: own, value: 'Ada' }] });
    const { total } = await api.find({});
    for (const id of [foreign, teammates, 999_999]) {
      const draft = {
        company: 'Lost',
        custom_fields: [
          { id: own, value: 'Ben' },
          { id, value: 'Cleo' },
        ],
      };
      const refusal = { name: 'BadRequest', errors: { 'custom_fields.1.id': `'${id}' does not exist` } };
      await expect(api.patch({ id: contact.id, ...draft })).rejects.toMatchObject(refusal);
      await expect(api.create(draft)).rejects.toMatchObject(refusal);
    }
    expect(await api.get({ id: contact.id })).toEqual(contact);
    expect(await api.find({})).toMatchObject({ total });
  });

  it('ignore other fields of the definition', async () => {
    const { customFields, contacts: api } = contacts.as(someone());
    const field = await customFields.create(kids);
    const made = await api.create({ custom_fields: [{ id: field.id, value: 'Ada' }] });
    const echoed = made.custom_fields.map((value) => ({ ...value, name: 'Mine', rank: 7, user_id: 1 }));
    expect(await api.patch({ id: made.id, custom_fields: echoed })).toMatchObject({
      custom_fields: [{ ...field, value: 'Ada' }],
    });
    expect(await customFields.get({ id: field.id })).toEqual(field);
  });

  it("are shown for the caller's own fields, and not for those of others who see the contact", async () => {
    const ben = someone();
    const anna = teammateOf(ben);
    const annas = await contacts.as(anna).customFields.create(kids);
    const bens = await contacts.as(ben).customFields.create(budget);
    const { id } = await contacts.as(anna).contacts.create({
      assigned_user_id: ben.id,
      custom_fields: [{ id: annas.id, value: 'Ada' }],
    });
    const changed = await contacts.as(ben).contacts.patch({
      id,
      custom_fields: [{ id: bens.id, value: '500000' }],
    });
    expect(changed.custom_fields).toEqual([{ ...bens, value: '500000' }]);
    expect((await contacts.as(anna).contacts.get({ id })).custom_fields).toEqual([
      { ...annas, value: 'Ada' },
    ]);
    expect((await contacts.as(ben).contacts.find({})).data[0]?.custom_fields).toEqual(changed.custom_fields);
  });

  it("of the broker's fields are shared by those who see both the field and the contact", async () => {
    const broker = someone();
    const field = await contacts.as(broker).customFields.create(kids);
    const agent = agentOf(broker, { is_custom_fields_enabled: true });
    const colleague = { ...agentOf(broker, { is_custom_fields_enabled: true }), teammate_ids: [agent.id] };
    const own = contacts.as({ ...agent, teammate_ids: [colleague.id] });
    const { id } = await own.contacts.create({
      assigned_user_id: colleague.id,
      custom_fields: [{ id: field.id, value: 'Ada' }],
    });
    expect((await contacts.as(colleague).contacts.get({ id })).custom_fields).toEqual([
      { ...field, value: 'Ada' },
    ]);
    const kept = { ...agent, broker: agentOf(broker).broker };
    expect((await contacts.as(kept).contacts.get({ id })).custom_fields).toEqual([]);
  });

  it('count as a change of the contact', async () => {
    const anna = someone();
    const { customFields, contacts: api } = contacts.as(anna);
    const { id: field } = await customFields.create(kids);
    const { id } = await api.create({ modified_at: '2018-01-09T12:24:09.000Z' });
    const changed = await api.patch({ id, tags: 'Buyer', custom_fields: [{ id: field, value: 'Ada' }] });
    expect(changed.modified_at > '2026').toBe(true);
    const events = (await contacts.published()).filter((event) => event.data.contact_id === id);
    expect(events.at(-1)).toMatchObject({
      type: 'crm.contacts.contact.changed',
      aggregateversion: 2,
      data: { fields: ['tags', 'custom_fields'] },
    });
  });

  it('are all stored when they are written concurrently', async () => {
    const { customFields, contacts: api } = contacts.as(someone());
    const fields = await Promise.all([1, 2, 3, 4].map((rank) => customFields.create({ ...kids, rank })));
    const { id } = await api.create({});
    await Promise.all(
      fields.map((field) => api.patch({ id, custom_fields: [{ id: field.id, value: field.rank }] })),
    );
    const { custom_fields } = await api.get({ id });
    expect(custom_fields.map(({ value }) => value)).toEqual(['1', '2', '3', '4']);
  });

  it('are removed with the contact', async () => {
    const { customFields, contacts: api } = contacts.as(someone());
    const { id: field } = await customFields.create(kids);
    const { id } = await api.create({ custom_fields: [{ id: field, value: 'Ada' }] });
    await api.remove({ id });
    expect(await contacts.rows('select from custom_field_values where contact_id = $1', [id])).toEqual([]);
    expect(await customFields.find({})).toMatchObject({ total: 1 });
  });
});
