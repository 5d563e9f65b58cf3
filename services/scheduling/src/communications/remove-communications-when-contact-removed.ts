import type { contactRemoved } from '@crm/events';
import type { Delivery } from '@crm/messaging';
import type { z } from 'zod';
import { removeCommunicationsTo } from '../enrolments/enrolment.queries.ts';
import { end } from '../enrolments/enrolment-end.queries.ts';
import { contextOf } from '../transaction-context.ts';

/** What the contact was sent goes too. Nothing can be made for it from here on. */
export async function removeCommunicationsWhenContactRemoved(
  delivery: Delivery<z.output<(typeof contactRemoved)['data']>>,
): Promise<void> {
  const { query, now } = contextOf(delivery);
  const { contact_id } = delivery.event.data;
  await end(query, { what: 'contact', id: contact_id }, now());
  await removeCommunicationsTo(query, contact_id);
}
