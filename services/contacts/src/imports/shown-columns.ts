import { type Columns, customHeader, mappingOf, readColumns } from '@crm/contacts-csv';
import { contactsFormat } from '../contacts-format.ts';

/** The columns of a file with what they fill, as clients see them. */
export function columnsIn({ headers, used }: Pick<Columns, 'headers' | 'used'>) {
  const byIndex = new Map(
    used.map(({ index, field, custom }) => [index, custom ? customHeader(custom) : field] as const),
  );
  return headers.map((header, index) => ({ header, field: byIndex.get(index) ?? null }));
}

/** The columns of a file with a mapping of its headers. Throws ContactsCsvError. */
export const columnsFor = (headers: readonly string[], mapping: Readonly<Record<string, string>>) =>
  columnsIn(readColumns(headers, mappingOf(Object.entries(mapping), contactsFormat), contactsFormat));
