import { queryIn } from '@crm/data';
import type { consentChanged } from '@crm/events';
import type { Delivery } from '@crm/messaging';
import { noteOptOutChange } from './opt-out-change.queries.ts';

/** What was known about the contacts until now no longer holds, even in a worker that has just asked. */
export async function noteOptOutChanged({ em, event }: Delivery<typeof consentChanged>): Promise<void> {
  await noteOptOutChange(queryIn(em), event.data.contact_ids);
}
