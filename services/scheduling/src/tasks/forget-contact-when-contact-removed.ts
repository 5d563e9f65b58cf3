import { queryIn } from '@crm/data';
import type { contactRemoved } from '@crm/events';
import type { Delivery } from '@crm/messaging';
import type { z } from 'zod';
import { forgetContact } from './task.queries.ts';

/** The tasks themselves stay. */
export async function forgetContactWhenContactRemoved({
  em,
  event,
}: Delivery<z.output<(typeof contactRemoved)['data']>>): Promise<void> {
  await forgetContact(queryIn(em), event.data.contact_id);
}
