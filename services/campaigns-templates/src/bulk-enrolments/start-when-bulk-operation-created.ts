import { queryIn } from '@crm/data';
import type { bulkOperationCreated } from '@crm/events';
import type { Delivery } from '@crm/messaging';
import { addBulkEnrolment } from './bulk-enrolment.queries.ts';

/** Stores only the id: the worker fetches the operation portion by portion. */
export async function startWhenBulkOperationCreated({
  em,
  event,
}: Delivery<typeof bulkOperationCreated>): Promise<void> {
  const { action, bulk_operation_id } = event.data;
  if (action === 'enrol') await addBulkEnrolment(queryIn(em), bulk_operation_id, event.requestid);
}
