import { contactsApi } from '@crm/contacts/api';

const contact = Object.keys(contactsApi.contacts.create.input.shape);
const address = Object.keys(contactsApi.addresses.create.input.shape);

/** Not read from cells: nested records, and ids, which mean nothing in another account. */
const notCells = ['addresses', 'custom_fields', 'assigned_user_id', 'hotness_id', 'source_id'];

/** The fields of an address by the names of their cells. A column `type` would not tell whose type it is. */
export const addressFields: ReadonlyMap<string, string> = new Map(
  address
    .filter((name) => name !== 'contact_id')
    .map((name) => [name === 'type' ? 'address_type' : name, name] as const),
);

/** Every field that a column can fill, by the name of its header. */
export const cellFields: readonly string[] = [
  ...contact.filter((name) => !notCells.includes(name)),
  ...addressFields.keys(),
  'hotness',
  'source',
];
