import type { Query } from '@crm/data';
import { repeat, type Worker } from '@crm/service';
import { forgetSomeRows } from './imported-row.queries.ts';

const everyMs = 60 * 60_000;

/** In batches, so that no statement holds its locks for long. */
const batchSize = 5_000;

/** Deletes what is known of rows that were imported 30 days ago. Nobody continues such an import. */
export async function forgetImportedRows(query: Query): Promise<void> {
  while (await forgetSomeRows(query, batchSize));
}

export const importedRowsWorker: Worker = async ({ database, log }) =>
  repeat('forget imported rows', everyMs, () => forgetImportedRows(database.query), log);
