import type { Query } from '@crm/data';
import { deleteAll, deleteRecord, removedIds } from './delete-in-portions.queries.ts';

/** Records for which each contact may have a row. */
const kinds = [
  { table: 'custom_fields', rows: 'custom_field_values', column: 'custom_field_id' },
  { table: 'static_lists', rows: 'static_list_contacts', column: 'static_list_id' },
] as const;

/** Deletes removed custom fields and static lists, which are already hidden, after deleting the rows of their contacts. */
export async function forgetRemoved(query: Query): Promise<void> {
  for (const { table, rows, column } of kinds) {
    for (const id of await removedIds(query, table)) {
      await deleteAll(query, rows, column, id);
      await deleteRecord(query, table, id);
    }
  }
}
