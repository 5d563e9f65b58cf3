import { contactsApi } from '@crm/contacts/api';
import { fieldKinds } from '@crm/contract';
import type { z } from 'zod';
import { addressFields } from '../fields.ts';

type Contact = z.output<typeof contactsApi.contacts.get.output>;

/** The fields of a contact that fit into a cell, in the order of the contract. */
const own = [...fieldKinds(contactsApi.contacts.get.output).kinds.keys()];

export const exportHeaders: readonly string[] = [...own, ...addressFields.keys(), 'hotness', 'source'];

/** The fields to select. Custom fields are not exported. */
export const exportedFields = [...own, 'addresses', 'hotness', 'source'] as (keyof Contact)[];

export function cellsOf(contact: Contact): string[] {
  const fields: Readonly<Record<string, unknown>> = contact;
  const address: Readonly<Record<string, unknown>> = contact.addresses[0] ?? {};
  const cells = [
    ...own.map((field) => fields[field]),
    ...[...addressFields.values()].map((part) => address[part]),
    contact.hotness?.name,
    contact.source?.name,
  ];
  return cells.map((value) => (value === null || value === undefined ? '' : String(value)));
}
