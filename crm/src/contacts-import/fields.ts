import { contactsApi } from '@crm/contacts/api';

const contact = Object.keys(contactsApi.contacts.create.input.shape);
const address = Object.keys(contactsApi.addresses.create.input.shape);

/** What a contact is made of beside its own fields, and ids, which mean nothing in another account. */
const notCells = ['addresses', 'custom_fields', 'assigned_user_id', 'hotness_id', 'source_id'];

/** By the names of their cells: alone, «type» would not say of what. */
export const addressFields: ReadonlyMap<string, string> = new Map(
  address
    .filter((name) => name !== 'contact_id')
    .map((name) => [name === 'type' ? 'address_type' : name, name] as const),
);

/** All that a cell of a file can become, by the name of its header. */
export const cellFields: readonly string[] = [
  ...contact.filter((name) => !notCells.includes(name)),
  ...addressFields.keys(),
  'hotness',
  'source',
];
