import { repeat, type Worker } from '@crm/service';
import { forgetImportedRows } from './imported-row.queries.ts';

const everyMs = 60 * 60_000;

export const importedRowsWorker: Worker = async ({ database, log }) =>
  repeat('forget imported rows', everyMs, () => forgetImportedRows(database.query), log);
