import { type Query, queryFirst } from '@crm/data';
import { z } from 'zod';
import type { Duplicates } from './import.api.ts';
import type { StoredMapping } from './stored-mapping.ts';

const Held = z.object({ type: z.string(), headers: z.array(z.string()), delimiter: z.string().nullable() });

/** An import of a user that waits for its columns, locked until the transaction ends. */
export function lockHeld(query: Query, id: number, userId: number) {
  return queryFirst(
    query,
    Held,
    `select type, headers, delimiter from imports
     where id = $1 and user_id = $2 and status = 'Mapping' for update`,
    [id, userId],
  );
}

/** How the rows of a file that waits for its columns are imported. */
export interface Confirmed {
  readonly mapping: StoredMapping;
  readonly duplicates: Duplicates;
  readonly create_missing: boolean;
  readonly dry_run: boolean;
  readonly tags: string | null;
}

interface Started extends Confirmed {
  readonly columns: readonly object[];
  /** Where the rows begin. */
  readonly position: number;
  readonly line: number;
}

/** Puts an import in the queue, to begin with its first row. What a dry run found before is hidden. */
export async function noteStart(query: Query, id: number, started: Started): Promise<void> {
  await query(
    `update imports set version = version + 1, status = 'Waiting', mapping = $2, columns = $3, duplicates = $4,
       create_missing = $5, dry_run = $6, tags = $7, position = $8, line = $9, rows = 0, created = 0, updated = 0,
       skipped = 0, failed = 0, warned = 0, forgets_findings = rows > 0, rows_per_second = null, started_at = null, modified_at = now(),
       due_at = clock_timestamp()
     where id = $1`,
    [
      id,
      JSON.stringify(started.mapping),
      JSON.stringify(started.columns),
      started.duplicates,
      started.create_missing,
      started.dry_run,
      started.tags,
      started.position,
      started.line,
    ],
  );
}
