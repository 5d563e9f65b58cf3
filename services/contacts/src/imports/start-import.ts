import { ContactsCsvError } from '@crm/contacts-csv';
import { invalidField } from '@crm/contract';
import type { Query } from '@crm/data';
import { linesType } from './import.api.ts';
import { headerOf } from './receive-part.ts';
import { columnsFor } from './shown-columns.ts';
import { type Confirmed, lockHeld, noteStart } from './start-import.queries.ts';
import type { StoredMapping } from './stored-mapping.ts';

/** Starts an import whose columns are confirmed, if it is waiting for that. Throws BadRequest. */
export async function startImport(
  query: Query,
  id: number,
  userId: number,
  confirmed: Confirmed,
): Promise<void> {
  const held = await lockHeld(query, id, userId);
  if (!held) return;
  const isCsv = held.type !== linesType;
  const columns = isCsv ? columnsWith(held.headers, confirmed.mapping) : [];
  const rows = isCsv ? await headerOf(query, id, held.delimiter ?? ',') : { end: 0, endLine: 1 };
  await noteStart(query, id, { ...confirmed, columns, position: rows.end, line: rows.endLine });
}

function columnsWith(headers: readonly string[], mapping: StoredMapping) {
  try {
    return columnsFor(headers, mapping);
  } catch (error) {
    if (error instanceof ContactsCsvError) throw invalidField('mapping', error.message);
    throw error;
  }
}
