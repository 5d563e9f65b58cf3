import { protectCell } from '../csv/cells.ts';
import { type CustomColumn, customHeader } from '../custom-header.ts';
import type { Channel, Contact, Format } from '../format.ts';
import { cellOf, kindOf, kindsOfCustomFields } from '../values/check-cell.ts';

/** A contact with the e-mail addresses of its people. */
export interface ContactRow {
  readonly contact: Contact;
  readonly owner: string;
  readonly assignedTo: string;
  readonly sharedWith: string;
  /** The channels on which the contact gets no messages. */
  readonly optedOut: readonly Channel[];
}

export const exportedFields = ({ ownFields }: Format): readonly string[] => [
  'id',
  'owner_user_id',
  'assigned_user_id',
  ...ownFields,
  'addresses',
  'hotness',
  'source',
  'custom_fields',
];

/** The columns that depend on the contacts. */
export interface Layout {
  /** Whether the contacts belong to several users. */
  readonly owners: boolean;
  readonly addresses: number;
  /** By header. Several fields with the same header each have a column. */
  readonly customFields: readonly CustomColumn[];
}

export function headersOf({ owners, addresses, customFields }: Layout, format: Format): string[] {
  return [
    ...(owners ? ['owner'] : []),
    ...format.ownFields,
    ...counted(addresses).flatMap((n) => format.addressCells(n)),
    'assigned_to',
    'hotness',
    'source',
    'shared_with',
    'text_opt_out',
    'email_opt_out',
    ...customFields.map((field) => protectCell(customHeader(field))),
  ];
}

/** The input of cells besides the contacts. */
interface CellContext {
  readonly format: Format;
  /** The current date, which determines the century of a two-digit year. */
  readonly today: string;
}

export function cellsOf(row: ContactRow, layout: Layout, { format, today }: CellContext): string[] {
  const { contact } = row;
  const own = contact as Readonly<Record<string, unknown>> & Contact;
  return [
    ...(layout.owners ? [protectCell(row.owner)] : []),
    ...format.ownFields.map((field) => cellOf(textOf(own[field]), kindOf(field), today)),
    ...counted(layout.addresses).flatMap((n) => cellsOfAddress(contact.addresses[n - 1], { format, today })),
    protectCell(row.assignedTo),
    protectCell(contact.hotness?.name ?? ''),
    protectCell(contact.source?.name ?? ''),
    protectCell(row.sharedWith),
    row.optedOut.includes('Text') ? 'yes' : '',
    row.optedOut.includes('Email') ? 'yes' : '',
    ...customCells(contact, layout, today),
  ];
}

const textOf = (value: unknown): string => (value === null || value === undefined ? '' : String(value));

/** There is always a first address, so that files without addresses have the same columns. */
const counted = (addresses: number): number[] =>
  Array.from({ length: Math.max(addresses, 1) }, (_, index) => index + 1);

function cellsOfAddress(address: object | undefined, { format, today }: CellContext): string[] {
  const parts: Readonly<Record<string, unknown>> = { ...address };
  return [...format.addressFields.values()].map((part) => cellOf(textOf(parts[part]), kindOf(part), today));
}

function customCells(contact: Contact, { customFields }: Layout, today: string): string[] {
  const values = new Map<string, string[]>();
  // By rank, but those of the owner first, because an import prefers them to others with the same name.
  const isOwn = ({ user_id }: Contact['custom_fields'][number]) => Number(user_id === contact.owner_user_id);
  for (const { value, ...field } of contact.custom_fields.toSorted((a, b) => isOwn(b) - isOwn(a))) {
    const header = customHeader(columnOf(field));
    values.set(header, [...(values.get(header) ?? []), value ?? '']);
  }
  return customFields.map((column) => {
    const value = values.get(customHeader(column))?.shift() ?? '';
    return cellOf(value, kindsOfCustomFields[column.dataType], today);
  });
}

export const columnOf = ({
  name,
  data_type,
}: Pick<Contact['custom_fields'][number], 'name' | 'data_type'>) => ({
  name,
  dataType: data_type,
});
