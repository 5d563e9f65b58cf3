import { type Columns, customHeader } from '@crm/contacts-csv';

/** The columns of a file with what they fill, as clients see them. */
export function columnsIn({ headers, used }: Pick<Columns, 'headers' | 'used'>) {
  const byIndex = new Map(
    used.map(({ index, field, custom }) => [index, custom ? customHeader(custom) : field] as const),
  );
  return headers.map((header, index) => ({ header, field: byIndex.get(index) ?? null }));
}
