import { inWords } from '@crm/contract';
import type { z } from 'zod';
import type { CsvRow } from '../csv/csv-rows.ts';
import type { Channel, Destinations, Draft } from '../format.ts';
import { splitName } from '../values/name.ts';
import type { Cell } from './cell.ts';
import type { Columns } from './columns.ts';
import type { Names } from './names.ts';
import { headerOfAddress, type NumberedAddress, readAddresses } from './read-addresses.ts';
import { destinationsIn, destinationsToOptOut, optOutsIn, readCells } from './read-cells.ts';
import { readPeople } from './read-people.ts';
import { readPhones } from './read-phones.ts';
import { type Remark, type Remarks, remarksOn } from './remark.ts';

/** A row that can be written. It names its source and hotness, because these may have to be created first. */
export interface ReadyRow {
  readonly row: CsvRow;
  readonly line: number;
  readonly draft: Draft;
  /** The draft without the values that all rows get. */
  readonly changes: Draft;
  readonly source: string | undefined;
  readonly hotness: string | undefined;
  readonly sharedWith: readonly number[];
  /** The channels that the contact has opted out of. */
  readonly optOuts: readonly Channel[];
  /** The numbers and addresses to opt out as well. */
  readonly destinations: Destinations;
  readonly cells: readonly Cell[];
  readonly addresses: readonly NumberedAddress[];
  readonly warnings: readonly Remark[];
}

/** A row that cannot be written. */
export interface InvalidRow {
  readonly row: CsvRow;
  readonly errors: readonly Remark[];
  readonly warnings: readonly Remark[];
}

/** Validates a row as the service would, so that a dry run also reports every invalid field. */
export function readRow(row: CsvRow, columns: Columns, names: Names): ReadyRow | InvalidRow {
  const remarks = remarksOn(row.line);
  const cells = readCells(row, columns, remarks, names.today);
  const { hotness, hotness_id, source } = readCatalogues(cells, names, remarks);
  const { assigned_user_id, sharedWith } = readPeople(cells, names, remarks);
  const addresses = readAddresses(cells, names.format, remarks);
  const draft = {
    ...draftOf(cells, row, names, remarks),
    ...(addresses.length > 0 && { addresses: addresses.map(({ fields }) => fields) }),
    ...(hotness_id !== undefined && { hotness_id }),
    ...(assigned_user_id !== undefined && { assigned_user_id }),
  };
  const drafted = draftFor(draft, names, (path, message) =>
    remarks.error(headerAt(path, { cells, addresses }), message),
  );
  const optOuts = optOutsIn(cells);
  const find = () => destinationsIn(cells, row, columns);
  const destinations = destinationsToOptOut(optOuts, find, { remarks, addsEach: names.addsEach });
  const { errors, warnings } = remarks;
  if (errors.length > 0 || !drafted) return { row, errors, warnings };
  return {
    row,
    line: row.line,
    ...drafted,
    source,
    hotness,
    sharedWith,
    optOuts,
    destinations,
    cells,
    addresses,
    warnings,
  };
}

/** The validated drafts of a row: of a new contact with the values that all rows get, and of the changes of an existing one. */
export function draftFor(
  own: object,
  { format, forAll }: Pick<Names, 'format' | 'forAll'>,
  onError: (path: readonly string[], message: string) => void,
): { readonly draft: Draft; readonly changes: Draft } | undefined {
  const read = (sent: object): Draft | undefined => {
    const { data, error } = format.contact.safeParse(sent, { error: inWords });
    for (const { path, message } of error?.issues ?? []) onError(path.map(String), message);
    return data;
  };
  const changes = read(own);
  const draft = changes && forAll ? read(forAll(changes)) : changes;
  return changes && draft && { draft, changes };
}

/** The hotness and the source of a row. A hotness with an id needs no name. */
function readCatalogues(cells: readonly Cell[], names: Names, remarks: Remarks) {
  const { createMissing, mayCreate, format } = names;
  const cellOf = (field: string) => cells.find(({ column }) => column.field === field);
  const [named, source] = [cellOf('hotness'), cellOf('source')];
  const hotness_id = named && names.hotness(named.value);
  const demandNew = ({ column, value }: Cell, draft: z.ZodObject, isAllowed: boolean) => {
    const { error } = draft.safeParse({ name: value }, { error: inWords });
    if (error) remarks.error(column.header, error.issues[0]?.message ?? 'is invalid');
    else if (!isAllowed)
      remarks.error(
        column.header,
        'does not exist, and the account may not create it; ask the broker to add it',
      );
  };
  if (named && hotness_id === undefined) {
    if (createMissing) demandNew(named, format.hotness, mayCreate.hotness);
    else
      remarks.error(
        named.column.header,
        'refers to a hotness that does not exist; create it or let the import create what is missing',
      );
  }
  if (source) demandNew(source, format.source, mayCreate.source || names.source(source.value) !== undefined);
  return {
    hotness_id,
    hotness: hotness_id === undefined ? named?.value : undefined,
    source: source?.value,
  };
}

function draftOf(cells: readonly Cell[], row: CsvRow, { customField, format }: Names, remarks: Remarks) {
  const values = new Map(
    cells
      .filter(({ column }) => format.ownFields.includes(column.field))
      .map(({ column, value }) => [column.field, value] as const),
  );
  readPhones(cells, row, values, remarks);
  const name = cells.find(({ column }) => column.field === 'name');
  const isNamed = values.has('first_name') || values.has('last_name');
  const custom_fields = cells
    .filter(({ column }) => column.custom)
    .map(({ column, value }) => ({ id: customField(column), value }));
  return {
    ...(name && !isNamed && splitName(name.value)),
    ...Object.fromEntries(values),
    ...(custom_fields.length > 0 && { custom_fields }),
  };
}

/** The header of the cell for a path in an error, such as `addresses.0.zip`. */
export function headerAt(
  path: readonly string[],
  { cells, addresses }: Pick<ReadyRow, 'cells' | 'addresses'>,
): string {
  // A JSON line has no columns, but fields with the same names.
  if (cells.length === 0) return path.join('.');
  const [first = '', index = '', part = ''] = path;
  const headerOf = (field: string) => cells.find(({ column }) => column.field === field)?.column.header;
  if (first === 'custom_fields')
    return cells.filter(({ column }) => column.custom)[Number(index)]?.column.header ?? '';
  const field =
    { hotness_id: 'hotness', source_id: 'source', assigned_user_id: 'assigned_to' }[first] ?? first;
  if (first !== 'addresses')
    return headerOf(field) ?? (/^(first|last)_name$/.test(field) ? (headerOf('name') ?? '') : '');
  return headerOfAddress(cells, addresses[Number(index)]?.n, part);
}
