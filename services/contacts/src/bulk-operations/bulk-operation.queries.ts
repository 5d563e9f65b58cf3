import { arrayOfAll, filterOfVisible, type Query, readModel, throughParent } from '@crm/data';
import { contactRows } from '../contacts/contact.queries.ts';
import { BulkOperationErrorView, BulkOperationView } from './bulk-operation.api.ts';
import { visibleBulkOperations } from './bulk-operation.policy.ts';

export const bulkOperationRows = readModel(BulkOperationView, {
  table: 'bulk_operations',
  visible: visibleBulkOperations,
  nested: {
    parameters: 'bulk_operations.parameters',
    examples: (viewer, binds) => {
      const seen = filterOfVisible(contactRows, viewer, binds);
      const first = `select contacts.id, first_name, last_name
        from unnest(bulk_operations.contact_ids[1:10]) with ordinality wanted (id, position)
        join contacts on contacts.id = wanted.id where ${seen} order by position`;
      return arrayOfAll(first);
    },
  },
});

export const bulkOperationErrorRows = readModel(BulkOperationErrorView, {
  table: 'bulk_operation_errors',
  visible: throughParent,
  hidden: { bulk_operation_id: { kind: 'integer', sql: 'bulk_operation_errors.bulk_operation_id' } },
  nested: { errors: 'bulk_operation_errors.errors' },
});

export async function setContacts(query: Query, operationId: number, contactIds: readonly number[]) {
  await query('update bulk_operations set contact_ids = $2 where id = $1', [operationId, contactIds]);
}

/** How many operations of a user have not ended. Requests of the same user wait for each other. */
export async function lockOpenOperations(query: Query, userId: number): Promise<number> {
  await query("select pg_advisory_xact_lock(hashtext('bulk operations'), $1::int)", [userId]);
  const open = 'select from bulk_operations where user_id = $1 and ended_at is null';
  return (await query(open, [userId])).length;
}
