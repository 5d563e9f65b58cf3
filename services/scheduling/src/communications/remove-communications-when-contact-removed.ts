import type { contactRemoved } from '@crm/events';
import type { Delivery } from '@crm/messaging';
import { deliveryContext } from '@crm/service';
import type { z } from 'zod';
import { end } from '../enrolment-ends/enrolment-end.queries.ts';
import { removeCommunicationsTo } from './communication.queries.ts';

/** Removes what was sent to the contact too. From here on, nothing can be created for the contact. */
export async function removeCommunicationsWhenContactRemoved(
  delivery: Delivery<z.output<(typeof contactRemoved)['data']>>,
): Promise<void> {
  const { query, now } = deliveryContext(delivery);
  const { contact_id } = delivery.event.data;
  await end(query, { what: 'contact', id: contact_id }, now());
  await removeCommunicationsTo(query, contact_id);
}
