import { contactsApi } from '../api.ts';

const contact = Object.keys(contactsApi.contacts.create.input.shape);
const address = Object.keys(contactsApi.addresses.create.input.shape);

/** Not read from cells: nested records, and ids, which mean nothing in another account. */
const notCells = ['addresses', 'custom_fields', 'assigned_user_id', 'hotness_id', 'source_id'];

/** The fields of a contact that a cell holds as they are. */
export const ownFields: readonly string[] = contact.filter((name) => !notCells.includes(name));

/** The fields of an address by the names of their cells. A column `type` would not tell whose type it is. */
export const addressFields: ReadonlyMap<string, string> = new Map(
  address
    .filter((name) => name !== 'contact_id')
    .map((name) => [name === 'type' ? 'address_type' : name, name] as const),
);

/** Cells with a name or an e-mail address instead of an id. */
export const namedFields = ['assigned_to', 'hotness', 'source', 'shared_with'] as const;

/** The most addresses that the contract allows for a contact. */
const mostAddresses = 50;

/** Every field that a column can fill, by the name of its header. `name` is split into first and last name. */
export const cellFields: readonly string[] = [
  ...ownFields,
  ...Array.from({ length: mostAddresses }, (_, index) => addressCells(index + 1)).flat(),
  ...namedFields,
  'owner',
  'name',
];

/** The cells of the n-th address: those of the first have no number. */
export function addressCells(n: number): readonly string[] {
  const names = [...addressFields.keys()];
  return n === 1 ? names : names.map((name) => `address_${n}_${name.replace(/^address_/, '')}`);
}

/** Of which address a cell is a part, and of which part; undefined for any other cell. */
export function addressPart(field: string): { readonly n: number; readonly part: string } | undefined {
  const [, n = '1', rest = field] = /^address_(\d+)_(.+)$/.exec(field) ?? [];
  const part = addressFields.get(rest === 'type' ? 'address_type' : rest);
  return part === undefined ? undefined : { n: Number(n), part };
}
