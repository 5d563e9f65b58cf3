import { queryIn } from '@crm/data';
import type { consentChanged } from '@crm/events';
import type { Delivery } from '@crm/messaging';
import { noteOptOutChange } from './opt-out-change.queries.ts';

/** Facts about the contacts that were loaded before are no longer valid, even in a worker that has just loaded them. */
export async function noteOptOutChanged({ em, event }: Delivery<typeof consentChanged>): Promise<void> {
  await noteOptOutChange(queryIn(em), event.data.contact_ids);
}
