import type { contactRemoved } from '@crm/events';
import type { Delivery } from '@crm/messaging';
import { deliveryContext } from '@crm/service';
import { maxPortion } from './forget-removed-contacts.ts';
import { clearSomeOf, isNamed, noteRemoved } from './removed-contact.queries.ts';

/**
 * The tasks themselves are kept. A worker clears the contact from tasks that are too many for a transaction, or are being
 * changed.
 */
export async function forgetContactWhenContactRemoved(
  delivery: Delivery<typeof contactRemoved>,
): Promise<void> {
  const { query, now } = deliveryContext(delivery);
  const { contact_id } = delivery.event.data;
  await clearSomeOf(query, contact_id, maxPortion);
  if (await isNamed(query, contact_id)) await noteRemoved(query, contact_id, now());
}
