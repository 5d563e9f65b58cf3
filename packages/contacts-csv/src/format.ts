import type { z } from 'zod';
import type { DataType } from './values/check-cell.ts';

/** The parts of the contacts contract that determine what a file can contain. */
export interface ContactsContract {
  readonly contacts: { readonly create: { readonly input: z.ZodObject } };
  readonly addresses: {
    readonly create: { readonly input: z.ZodObject };
    readonly get: { readonly output: z.ZodObject<{ type: z.ZodNullable<z.ZodEnum> }> };
  };
  readonly contactSources: { readonly create: { readonly input: z.ZodObject } };
  readonly hotnesses: { readonly create: { readonly input: z.ZodObject } };
}

/** A contact to be written, as validated by the contract. */
export interface Draft {
  readonly first_name?: string | null;
  readonly last_name?: string | null;
  readonly email?: string | null;
  readonly mobile_phone?: string | null;
  readonly tags?: string | null;
  readonly assigned_user_id?: number | null;
  readonly hotness_id?: number | null;
  readonly source_id?: number | null;
  readonly modified_at?: string;
  readonly addresses?: readonly DraftedAddress[];
}

export interface DraftedAddress {
  readonly id?: number;
  readonly type?: string | null;
}

/** A contact as it is read; it also has the other fields of its contract. */
export interface Contact {
  readonly id: number;
  readonly owner_user_id: number;
  readonly assigned_user_id: number | null;
  readonly addresses: readonly (DraftedAddress & { readonly id: number })[];
  readonly hotness: { readonly name: string | null } | null;
  readonly source: { readonly name: string } | null;
  readonly custom_fields: readonly {
    readonly user_id: number;
    readonly name: string;
    readonly data_type: DataType;
    readonly value: string | null;
  }[];
}

/** Not read from cells: nested records, and ids, which have no meaning in another account. */
const notCells = ['addresses', 'custom_fields', 'assigned_user_id', 'hotness_id', 'source_id'];

/** Cells with a name or an e-mail address instead of an id. */
const namedFields = ['assigned_to', 'hotness', 'source', 'shared_with'];

export type Channel = 'Text' | 'Email';

/** The phone numbers, in E.164, and e-mail addresses of a person. */
export interface Destinations {
  readonly numbers: string[];
  readonly emails: string[];
}

/**
 * The channels that a person opts out of by a cell in each field. In a field whose name ends with `opt_in`, a no opts out, and a
 * yes has no effect, because a file is no proof of consent. A status says in words who has unsubscribed. Several columns can fill
 * each field.
 */
export const optOutFields: ReadonlyMap<string, readonly Channel[]> = new Map([
  ['text_opt_out', ['Text']],
  ['email_opt_out', ['Email']],
  ['opt_out', ['Text', 'Email']],
  ['text_opt_in', ['Text']],
  ['email_opt_in', ['Email']],
  ['opt_in', ['Text', 'Email']],
  ['text_status', ['Text']],
  ['email_status', ['Email']],
]);

/** Whether several columns may fill a field. */
export const isShared = (field: string): boolean =>
  field === 'custom' || field === 'phone' || optOutFields.has(field);

/** The number of the address that a cell belongs to, and the field within it. */
export interface AddressPart {
  readonly n: number;
  readonly part: string;
}

/** The fields of a file of contacts. */
export interface Format {
  /** The fields of a contact that a cell contains unchanged. */
  readonly ownFields: readonly string[];
  /** The fields of an address by the names of their cells. A column `type` would not say what it is the type of. */
  readonly addressFields: ReadonlyMap<string, string>;
  readonly addressTypes: readonly string[];
  /** Every field that a column can fill, by the name of its header. `name` is split into first and last name. */
  readonly cellFields: readonly string[];
  /** The cells of the n-th address; those of the first have no number. */
  addressCells(n: number): readonly string[];
  /** What may be written to a contact, a source and a hotness. */
  readonly contact: z.ZodObject;
  readonly source: z.ZodObject;
  readonly hotness: z.ZodObject;
}

/** The format of files of contacts, with the fields of a contract and at most `maxAddresses` addresses. */
export function formatOf(contract: ContactsContract, maxAddresses: number): Format {
  const contact = Object.keys(contract.contacts.create.input.shape);
  const address = Object.keys(contract.addresses.create.input.shape);
  const ownFields = contact.filter((name) => !notCells.includes(name));
  const addressFields = new Map(
    address
      .filter((name) => name !== 'contact_id')
      .map((name) => [name === 'type' ? 'address_type' : name, name] as const),
  );
  const addressCells = (n: number) => {
    const names = [...addressFields.keys()];
    return n === 1 ? names : names.map((name) => `address_${n}_${name.replace(/^address_/, '')}`);
  };
  const cellFields = [
    ...ownFields,
    ...Array.from({ length: maxAddresses }, (_, index) => addressCells(index + 1)).flat(),
    ...namedFields,
    ...optOutFields.keys(),
    'owner',
    'name',
  ];
  return {
    ownFields,
    addressFields,
    addressTypes: contract.addresses.get.output.shape.type.unwrap().options.map(String),
    cellFields,
    addressCells,
    contact: contract.contacts.create.input,
    source: contract.contactSources.create.input,
    hotness: contract.hotnesses.create.input,
  };
}

/** The number of the address that a field belongs to, and the field within it; undefined for any other field. */
export function addressPart(field: string, { addressFields }: Format): AddressPart | undefined {
  const [, n = '1', rest = field] = /^address_(\d+)_(.+)$/.exec(field) ?? [];
  const part = addressFields.get(rest === 'type' ? 'address_type' : rest);
  return part === undefined ? undefined : { n: Number(n), part };
}
