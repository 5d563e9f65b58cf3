import { type Columns, customHeader, readColumns } from '@crm/contacts-csv';
import { contactsFormat } from '../contacts-format.ts';
import { mappingIn, type StoredMapping } from './stored-mapping.ts';

/** The columns of a file with what they fill, as clients see them. */
export function columnsIn({ headers, used }: Pick<Columns, 'headers' | 'used'>) {
  const byIndex = new Map(
    used.map(({ index, field, custom }) => [index, custom ? customHeader(custom) : field] as const),
  );
  return headers.map((header, index) => ({ header, field: byIndex.get(index) ?? null }));
}

/** The columns of a file with a mapping of them. Throws ContactsCsvError. */
export const columnsFor = (headers: readonly string[], mapping: StoredMapping) =>
  columnsIn(readColumns(headers, mappingIn(mapping), contactsFormat));
