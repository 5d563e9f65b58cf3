import { optOutField, plainName } from '@crm/contract';
import { ContactsCsvError } from '../contacts-csv-error.ts';
import { unprotectCell } from '../csv/cells.ts';
import { csvLimits } from '../csv/csv-rows.ts';
import { type CustomColumn, readCustom } from '../custom-header.ts';
import { type AddressPart, addressPart, type Format, isShared } from '../format.ts';
import { absentHeaders, type Mapping, mappedField } from './mapping.ts';
import { addressHeader, isPhone, numberedPhone, phoneLabels, synonyms } from './synonyms.ts';

export interface Column {
  readonly index: number;
  readonly header: string;
  /** The field that it fills; several columns may fill some fields. */
  readonly field: string;
  readonly custom?: CustomColumn;
  /** The part of an address that it fills. */
  readonly address?: AddressPart | undefined;
  /** For a `phone`: the column with the type of the phone. */
  readonly label?: number;
  /** For a part of an address: the default type of the address. */
  readonly type?: string;
}

export interface Columns {
  /** How many columns the file has. */
  readonly count: number;
  readonly used: readonly Column[];
  /** Those that match no field, or a field that another column fills. */
  readonly unused: readonly Header[];
  /** As in the file, without the columns of a file of errors. */
  readonly headers: readonly string[];
}

export interface Header {
  readonly index: number;
  readonly header: string;
  /** Whether the operator excludes the column, so that it does not fill a custom field either. */
  readonly isLeftOut: boolean;
}

/** The columns that a file of errors has in addition to those of the imported file. */
export const errorColumns = ['line', 'reason'] as const;

const bySynonym = new Map(
  Object.entries(synonyms).flatMap(([field, names]) =>
    names.map((name) => [plainName(name), field] as const),
  ),
);

/** Finds the field of each column. Throws if there are too many columns, or a mapped column is missing. */
export function readColumns(given: readonly string[], mapping: Mapping, format: Format): Columns {
  if (given.length > csvLimits.columns) {
    throw new ContactsCsvError('NoHeader', `The file has more than ${csvLimits.columns} columns.`);
  }
  if (/^sep=/i.test(given[0] ?? ''))
    throw new ContactsCsvError(
      'SeparatorLine',
      'The first line is "sep=", which only tells Excel the separator. Remove it: the file has to begin with its headers.',
    );
  const headers = ownHeaders(given);
  const absent = absentHeaders(mapping, headers);
  if (absent.length > 0)
    throw new ContactsCsvError('NoHeader', `The file has no column ${absent.join(', ')}.`);
  const used = usedColumns(headers, mapping, format);
  if (used.length === 0 && !mapping.has('*')) {
    throw new ContactsCsvError(
      'NoHeader',
      `No header matches a field of a contact. The fields are ${format.cellFields.filter((field) => !/\d_/.test(field)).join(', ')}.`,
    );
  }
  const unused = [...headers.entries()].flatMap(([index, header]) =>
    header === '' || used.some((column) => column.index === index || column.label === index)
      ? []
      : [{ index, header: unprotectCell(header), isLeftOut: mappedField(mapping, index, header) === '' }],
  );
  return { count: given.length, used, unused, headers };
}

/** The headers without those that a file of errors adds. */
export const ownHeaders = (headers: readonly string[]): readonly string[] =>
  errorColumns.every((name, index) => headers.at(index - errorColumns.length) === name)
    ? headers.slice(0, -errorColumns.length)
    : headers;

type Find = (
  header: string,
  used: ReadonlyMap<string, Column>,
  index: number,
) => Omit<Column, 'index' | 'header'> | undefined;

/**
 * If several columns match a field, the operator's mapping takes precedence over the field's own name, and that over synonyms.
 */
function usedColumns(headers: readonly string[], mapping: Mapping, format: Format): Column[] {
  const used = new Map<string, Column>();
  const taken = new Set<number>();
  const unlessMapped =
    (find: Find): Find =>
    (header, used, index) =>
      mappedField(mapping, index, header) === undefined ? find(header, used, index) : undefined;
  const finds = [
    mappedIn(mapping),
    unlessMapped(ownNameIn(format)),
    unlessMapped(anyNameIn(format)),
    unlessMapped(phoneIn(headers)),
  ];
  for (const find of finds) {
    for (const [index, given] of headers.entries()) {
      const header = unprotectCell(given);
      const found = taken.has(index) ? undefined : find(header, used, index);
      const isOneOfSeveral = found !== undefined && isShared(found.field);
      if (!found || (!isOneOfSeveral && used.has(found.field))) continue;
      const address = addressPart(found.field, format);
      used.set(isOneOfSeveral ? `${found.field} ${index}` : found.field, {
        index,
        header,
        ...found,
        address,
      });
      taken.add(index);
      if (found.label !== undefined) taken.add(found.label);
    }
  }
  return [...used.values()].sort((a, b) => a.index - b.index);
}

const mappedIn =
  (mapping: Mapping): Find =>
  (header, _, index) => {
    const field = mappedField(mapping, index, header);
    if (field === undefined || field === '') return undefined;
    if (field === 'custom') return customNamed(header);
    const custom = readCustom(field);
    return custom ? { field: 'custom', custom } : { field };
  };

/** The column as a custom field with the column's name. */
export const customNamed = (header: string): { readonly field: string; readonly custom: CustomColumn } => ({
  field: 'custom',
  custom: readCustom(header) ?? { name: header, dataType: 'Text' },
});

function ownNameIn({ cellFields }: Format): Find {
  const byName = new Map(cellFields.map((field) => [plainName(field), field]));
  return (header) => {
    const custom = readCustom(header);
    if (custom) return { field: 'custom', custom };
    const field = byName.get(plainName(header));
    return field === undefined ? undefined : { field };
  };
}

const anyNameIn =
  ({ addressFields, addressCells }: Format): Find =>
  (header) => {
    const field = bySynonym.get(plainName(header)) ?? optOutField(header);
    if (field !== undefined) return { field };
    const address = addressHeader(header);
    if (!address) return undefined;
    const index = [...addressFields.keys()].indexOf(address.part);
    return { field: addressCells(address.n)[index] ?? '', ...(address.type && { type: address.type }) };
  };

/** A phone of unknown type, or an additional mobile phone, which fills whichever field is free. */
const phoneIn =
  (headers: readonly string[]): Find =>
  (header, used) => {
    const n = numberedPhone(header);
    const label =
      n === undefined ? -1 : headers.findIndex((other) => phoneLabels(n).includes(plainName(other)));
    if (n === undefined && isPhone(header) && !used.has('mobile_phone')) return { field: 'mobile_phone' };
    const isOne = n !== undefined || isPhone(header) || bySynonym.get(plainName(header)) === 'mobile_phone';
    return isOne ? { field: 'phone', ...(label >= 0 && { label }) } : undefined;
  };
