import type { Query } from '@crm/data';
import { deleteAll, deleteRecord } from '../delete-in-portions.queries.ts';
import { findOldOperation } from './portion.queries.ts';

/** Deletes operations that ended 30 days ago, after deleting the errors of their contacts, however many. */
export async function forgetOperations(query: Query): Promise<void> {
  for (let id = await findOldOperation(query); id !== undefined; id = await findOldOperation(query)) {
    await deleteAll(query, 'bulk_operation_errors', 'bulk_operation_id', id);
    await deleteRecord(query, 'bulk_operations', id);
  }
}
