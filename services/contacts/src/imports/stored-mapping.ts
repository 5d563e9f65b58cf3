import { type Mapping, mappingOf } from '@crm/contacts-csv';
import { z } from 'zod';
import { contactsFormat } from '../contacts-format.ts';

/** By header, as clients send it, or by column, as the page does: null for a column that fills what its header says. */
export const StoredMapping = z.union([z.record(z.string(), z.string()), z.array(z.string().nullable())]);
export type StoredMapping = z.output<typeof StoredMapping>;

/** Throws ContactsCsvError for a field that does not exist. */
export function mappingIn(stored: StoredMapping): Mapping {
  if (!Array.isArray(stored)) return mappingOf(Object.entries(stored), contactsFormat);
  const mapped = stored.flatMap((field, index) => (field === null ? [] : [[index, field] as const]));
  return mappingOf(mapped, contactsFormat);
}

/** What a mapping says about a column; null if nothing. Until its columns are confirmed, an import has one of no headers. */
export const mappedTo = (stored: StoredMapping, index: number, header: string): string | null =>
  (Array.isArray(stored) ? stored[index] : stored[header]) ?? null;
