import { csvRows } from '@crm/contacts-csv';
import { afterAll, expect, it } from 'vitest';
import { contactsWithIdentity } from '../../test/with-identity.ts';

const contacts = await contactsWithIdentity();
afterAll(contacts.close);

async function* bytesOf(text: string) {
  yield Buffer.from(text);
}

it('no cell of an export is a formula to a spreadsheet, whoever wrote its text', async () => {
  const { id: benId } = await contacts.identity.asSystem.users.create({ email: '=ben@example.com' });
  const ben = await contacts.renewed(benId);
  const anna = { ...(await contacts.person()), teammate_ids: [ben.id] };
  const api = contacts.as(anna);
  const formula = '=1+1';
  const field = await api.customFields.create({ name: formula, data_type: 'Text' });
  const hotness = await api.hotnesses.create({ name: formula });
  const source = await api.contactSources.create({ name: formula });
  const { id } = await api.contacts.create({
    first_name: formula,
    last_name: '+1',
    company: '-1',
    email: '@home@example.com',
    mobile_phone: '+16045554572',
    tags: formula,
    hotness_id: hotness.id,
    source_id: source.id,
    assigned_user_id: ben.id,
    addresses: [{ city: formula, zip: '-1' }],
    custom_fields: [{ id: field.id, value: formula }],
  });
  await api.shares.create({ contact_id: id, user_id: ben.id });
  const { text } = await api.exports.contacts({});
  const cells: string[] = [];
  for await (const row of csvRows({ chunks: bytesOf(text), delimiter: ',' })) cells.push(...row.cells);
  expect(cells.filter((cell) => /^[=+\-@\t\r]/.test(cell))).toEqual([]);
  const isProtected = (written: string) => cells.filter((cell) => cell === `'${written}`).length;
  expect([formula, '+1', '-1', '@home@example.com', '=ben@example.com'].map(isProtected)).toEqual([
    6, 1, 2, 1, 2,
  ]);
});
