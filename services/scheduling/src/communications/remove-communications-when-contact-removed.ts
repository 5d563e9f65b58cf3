import type { contactRemoved } from '@crm/events';
import type { Delivery } from '@crm/messaging';
import { deliveryContext } from '@crm/service';
import { end } from '../enrolment-ends/enrolment-end.queries.ts';
import { isRecipient, removeSomeTo } from './communication.queries.ts';
import { maxPortion } from './forget-removed-recipients.ts';
import { noteRecipient } from './removed-recipient.queries.ts';

/**
 * Also removes messages that were sent to the contact. From then on, nothing can be created for the contact or sent to it. A
 * worker removes what is too much for a transaction, or is being changed.
 */
export async function removeCommunicationsWhenContactRemoved(
  delivery: Delivery<typeof contactRemoved>,
): Promise<void> {
  const { query, now } = deliveryContext(delivery);
  const { contact_id } = delivery.event.data;
  await end(query, { what: 'contact', id: contact_id }, now());
  await removeSomeTo(query, contact_id, maxPortion);
  if (await isRecipient(query, contact_id)) await noteRecipient(query, contact_id, now());
}
