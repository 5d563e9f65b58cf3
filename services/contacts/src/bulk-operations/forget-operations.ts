import type { Query } from '@crm/data';
import { repeat, type Worker } from '@crm/service';
import { deleteAll, deleteRecord } from '../delete-in-portions.queries.ts';
import { findOldOperation } from './portion.queries.ts';

const hourMs = 60 * 60_000;

/** Deletes operations that ended 30 days ago, after deleting the errors of their contacts, however many. */
export async function forgetOperations(query: Query): Promise<void> {
  for (let id = await findOldOperation(query); id !== undefined; id = await findOldOperation(query)) {
    await deleteAll(query, 'bulk_operation_errors', 'bulk_operation_id', id);
    await deleteRecord(query, 'bulk_operations', id);
  }
}

export const forgottenOperationsWorker: Worker = async ({ database, log }) =>
  repeat('forget bulk operations', hourMs, () => forgetOperations(database.query), log);
