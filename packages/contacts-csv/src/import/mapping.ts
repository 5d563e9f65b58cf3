import { plainName, suggestion } from '@crm/contract';
import { ContactsCsvError } from '../contacts-csv-error.ts';
import { unprotectCell } from '../csv/cells.ts';
import { readCustom } from '../custom-header.ts';
import type { Format } from '../format.ts';

/**
 * Fields by headers or by the indexes of columns, as given by the operator. Several columns can have the same header. An empty
 * field excludes the column; `*` means every other column.
 */
export type Mapping = ReadonlyMap<string | number, string>;

/** A header as a key of a mapping, also as a spreadsheet shows a protected one. */
const keyOf = (header: string): string => plainName(unprotectCell(header));

/** What a mapping says about a column; undefined if nothing. */
export const mappedField = (mapping: Mapping, index: number, header: string): string | undefined =>
  mapping.get(index) ?? mapping.get(keyOf(header));

/** The headers of a mapping that no column has. */
export function absentHeaders(mapping: Mapping, headers: readonly string[]): readonly string[] {
  const found = new Set(headers.map(keyOf));
  return [...mapping.keys()]
    .filter((key) => typeof key === 'string' && key !== '*' && !found.has(key))
    .map(String);
}

/** Reads `Header=field,…`. */
export function readMapping(text: string, format: Format): Mapping {
  const parts = text.split(',').filter((part) => part.trim() !== '');
  return mappingOf(
    parts.map((part) => {
      const separator = part.lastIndexOf('=');
      if (separator < 1) {
        throw new ContactsCsvError(
          'InvalidMapping',
          `must have the form Header=field, but contains "${part.trim()}".`,
        );
      }
      return [part.slice(0, separator), part.slice(separator + 1)];
    }),
    format,
  );
}

/** A mapping from pairs of a header, or the index of a column, and a field. Throws ContactsCsvError for an unknown field. */
export function mappingOf(
  pairs: readonly (readonly [column: string | number, field: string])[],
  format: Format,
): Mapping {
  return new Map(
    pairs.map(([column, given]) => {
      const field = given.trim();
      demandField(field, column, format);
      return [typeof column === 'string' ? keyOf(column) : column, field];
    }),
  );
}

function demandField(field: string, column: string | number, { cellFields }: Format) {
  const known = field === '' || field === 'custom' || readCustom(field) || cellFields.includes(field);
  if (typeof column === 'string' && column.trim() === '*' && field !== 'custom')
    throw new ContactsCsvError('InvalidMapping', 'can map all other columns only as *=custom.');
  if (known) return;
  throw new ContactsCsvError(
    'InvalidMapping',
    `refers to an unknown field "${field}".${suggestion(field, cellFields)} Custom fields are custom:Name.`,
  );
}
