import { wrong } from '@crm/contract';
import { type Query, queryRows } from '@crm/data';
import { z } from 'zod';
import { ContactsCsvError, mappingOf, readColumns } from '../csv/index.ts';
import { linesType } from './import.api.ts';
import { headerOf } from './receive-part.ts';
import { columnsIn } from './shown-columns.ts';

/** How the rows of a file that waits for its columns are imported. */
export interface Confirmed {
  readonly mapping: Readonly<Record<string, string>>;
  readonly duplicates: 'skip' | 'update' | 'create';
  readonly create_missing: boolean;
  readonly dry_run: boolean;
  readonly tags: string | null;
}

const Held = z.object({ type: z.string(), headers: z.array(z.string()), delimiter: z.string().nullable() });

/** Starts an import whose columns are confirmed. Returns false if it does not wait for that; throws BadRequest. */
export async function startImport(
  query: Query,
  id: number,
  userId: number,
  confirmed: Confirmed,
): Promise<boolean> {
  const [held] = await queryRows(
    query,
    Held,
    `select type, headers, delimiter from imports where id = $1 and user_id = $2 and status = 'Mapping' for update`,
    [id, userId],
  );
  if (!held) return false;
  const isCsv = held.type !== linesType;
  const columns = isCsv ? columnsWith(held.headers, confirmed.mapping) : [];
  const rows = isCsv ? await headerOf(query, id, held.delimiter ?? ',') : { end: 0, endLine: 1 };
  const { mapping, duplicates, create_missing, dry_run, tags } = confirmed;
  // What a dry run has found before is no more.
  await query('delete from import_remarks where import_id = $1', [id]);
  await query('delete from import_rehearsals where import_id = $1', [id]);
  await query(
    `update imports set version = version + 1, status = 'Waiting', mapping = $2, columns = $3, duplicates = $4,
       create_missing = $5, dry_run = $6, tags = $7, position = $8, line = $9, rows = 0, created = 0, updated = 0,
       skipped = 0, failed = 0, warned = 0, rows_per_second = null, started_at = null, modified_at = now(),
       due_at = clock_timestamp()
     where id = $1`,
    [id, mapping, JSON.stringify(columns), duplicates, create_missing, dry_run, tags, rows.end, rows.endLine],
  );
  return true;
}

function columnsWith(headers: readonly string[], mapping: Readonly<Record<string, string>>) {
  try {
    return columnsIn(readColumns(headers, mappingOf(Object.entries(mapping))));
  } catch (error) {
    if (error instanceof ContactsCsvError) throw wrong('mapping', error.message);
    throw error;
  }
}
