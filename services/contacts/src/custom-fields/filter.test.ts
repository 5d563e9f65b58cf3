import { agentOf, someone } from '@crm/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contactsUnderTest } from '../../test/harness.ts';

const contacts = await contactsUnderTest();
afterAll(contacts.close);

const anna = someone();
const fields = { text: 0, number: 0, dollars: 0, date: 0 };

beforeAll(async () => {
  const types = [
    ['text', 'Text'],
    ['number', 'Number'],
    ['dollars', 'Dollar Amt'],
    ['date', 'Date'],
  ] as const;
  for (const [name, data_type] of types)
    fields[name] = (await contacts.as(anna).customFields.create({ name, data_type })).id;
  const values = [
    ['A', 'Ada', '9', '$1,250.50', '2026-03-01'],
    ['B', 'ben', '10', '900', '2026-02-28T10:00:00Z'],
    ['C', '10', 'about ten', 'cheap', 'in spring'],
    ['D', null, null, null, null],
  ] as const;
  for (const [first_name, text, number, dollars, date] of values) {
    const custom_fields = [
      { id: fields.text, value: text },
      { id: fields.number, value: number },
      { id: fields.dollars, value: dollars },
      { id: fields.date, value: date },
    ];
    await contacts.as(anna).contacts.create({ first_name, custom_fields });
  }
});

/** The first names of the contacts that meet some conditions on a field. */
async function named(field: keyof typeof fields, asked: unknown, more: object = {}, user = anna) {
  const find = { [`custom_fields.${fields[field]}`]: asked, ...more } as object;
  const { data, total } = await contacts.as(user).contacts.find(find);
  expect(total).toBe(data.length);
  return data.map(({ first_name }) => first_name).join('');
}

it('one contact is read, changed and removed by a condition on a custom field', async () => {
  const api = contacts.as(anna).contacts;
  const custom_fields = [{ id: fields.number, value: '7' }];
  const { id } = await contacts.as(anna).contacts.create({ first_name: 'E', custom_fields });
  const by = (value: string) => ({ id, $where: { [`custom_fields.${fields.number}`]: value } as object });
  expect(await api.get(by('7.0'))).toMatchObject({ first_name: 'E' });
  expect(await api.patch({ ...by('7'), first_name: 'F' })).toMatchObject({ first_name: 'F' });
  for (const verb of ['get', 'patch', 'remove'] as const) {
    await expect(api[verb](by('8'))).rejects.toMatchObject({ name: 'NotFound' });
    await expect(api[verb](by('seven'))).rejects.toMatchObject({ name: 'BadRequest' });
  }
  expect(await api.remove(by('7'))).toMatchObject({ first_name: 'F' });
});

describe('a list of contacts by a custom field', () => {
  it.each([
    ['text', 'Ada', 'A'],
    ['text', ['Ada', 'ben'], 'AB'],
    ['text', { $like: 'B%' }, 'B'],
    ['text', { $gte: 'Ada' }, 'AB'],
    ['text', { $ne: 'Ada' }, 'BCD'],
    ['text', '', 'D'],
    ['number', '10', 'B'],
    ['number', { $gt: '9', $lt: '10.5' }, 'B'],
    ['number', { $lte: '10' }, 'AB'],
    ['number', { $nin: ['9'] }, 'BCD'],
    ['number', 'null', 'CD'],
    ['number', { $ne: 'null' }, 'AB'],
    ['dollars', { $gte: '1000' }, 'A'],
    ['dollars', '1250.5', 'A'],
    ['date', { $gte: '2026-03-01' }, 'A'],
    ['date', { $lt: '2026-03-01' }, 'B'],
    ['date', '2026-02-28', 'B'],
  ] as const)('of %s: %j finds %s, in the way of its type', async (field, asked, expected) => {
    expect(await named(field, asked)).toBe(expected);
  });

  it.each([
    ['1250,50', false],
    ['1.250,50', false],
    ['1,25,000', false],
    ['(1250.50)', false],
    ['1,250.50', true],
    ['€ 1250.50', true],
    ['1\u00a0250.50 $', true],
    ['1250.50%', true],
  ])('takes %j for a number only if no separator could mean something else', async (value, isNumber) => {
    const ben = someone();
    const api = contacts.as(ben);
    const field = await api.customFields.create({ name: 'Budget', data_type: 'Number' });
    await api.contacts.create({ custom_fields: [{ id: field.id, value }] });
    const name = `custom_fields.${field.id}`;
    expect((await api.contacts.find({ [name]: { $ne: 'null' } } as object)).total).toBe(Number(isNumber));
    expect((await api.contacts.find({ [name]: '1250.5' } as object)).total).toBe(Number(isNumber));
  });

  it('combines with other conditions, alternatives and a search', async () => {
    const [text, number] = [`custom_fields.${fields.text}`, `custom_fields.${fields.number}`];
    const $or = [{ [text]: 'Ada' }, { [number]: { $gte: '10' } }];
    const list = async (find: object) =>
      (await contacts.as(anna).contacts.find(find)).data.map(({ first_name }) => first_name).join('');
    expect(await list({ $or })).toBe('AB');
    expect(await list({ $or, first_name: 'B' })).toBe('B');
    expect(await list({ $or, $search: 'nothing' })).toBe('');
    await contacts
      .as(anna)
      .contacts.create({ last_name: 'Keller', custom_fields: [{ id: fields.text, value: 'K' }] });
    expect((await contacts.as(anna).contacts.find({ $search: 'keller', [text]: 'K' } as object)).total).toBe(
      1,
    );
    expect((await contacts.as(anna).contacts.find({ $search: 'keller', [text]: 'L' } as object)).total).toBe(
      0,
    );
  });

  it('shows what the field contains only to those who see it', async () => {
    const agent = agentOf(anna);
    const hidden = {
      ...agent,
      broker: agent.broker && {
        ...agent.broker,
        switches: { ...agent.broker.switches, is_custom_fields_enabled: false },
      },
    };
    const asked = { [`custom_fields.${fields.text}`]: 'Ada' };
    const refusal = {
      name: 'BadRequest',
      errors: { [`custom_fields.${fields.text}`]: `'${fields.text}' does not exist` },
    };
    await expect(contacts.as(someone()).contacts.find(asked)).rejects.toMatchObject(refusal);
    await expect(contacts.as(hidden).contacts.find(asked)).rejects.toMatchObject(refusal);
    await expect(
      contacts.as(anna).contacts.find({ 'custom_fields.999999': 'x' } as object),
    ).rejects.toMatchObject({
      errors: { 'custom_fields.999999': "'999999' does not exist" },
    });
  });

  it.each([
    ['number', 'ten', 'must be a number'],
    ['dollars', { $gt: '$5' }, 'must be a number'],
    ['date', 'spring', 'must be a date such as 2026-03-01'],
    ['number', { $gt: '' }, 'cannot be compared with null'],
    ['number', { $like: '1%' }, 'is only supported with $like if its type is Text'],
  ] as const)('refuses a wrong value of %s: %j', async (field, asked, message) => {
    await expect(named(field, asked)).rejects.toMatchObject({
      name: 'BadRequest',
      errors: { [`custom_fields.${fields[field]}`]: message },
    });
  });

  it.each([
    [{ custom_fields: 'x' }, 'custom_fields', /needs the id of one/],
    [{ 'custom_fields.x': 'x' }, 'custom_fields.x', /Unknown field/],
    [{ 'tags.1': 'x' }, 'tags.1', /Unknown field/],
    [{ 'custom_fields.1': { $near: 'x' } }, 'custom_fields.1.$near', /Unknown operator/],
    [{ $sort: { 'custom_fields.1': 1 } }, '$sort.custom_fields.1', /Unknown field/],
  ])('names what is wrong with %j', async (asked, field, message) => {
    await expect(contacts.as(anna).contacts.find(asked as object)).rejects.toMatchObject({
      errors: { [field]: expect.stringMatching(message) },
    });
  });
});
