import { queryIn } from '@crm/data';
import type { contactSourceCreated } from '@crm/events';
import type { Delivery } from '@crm/messaging';
import type { z } from 'zod';
import { addMissingSources } from './lead-source.queries.ts';

/** Leads come from the same sources as contacts. */
export async function addSourceWhenContactSourceCreated({
  em,
  event,
}: Delivery<z.output<(typeof contactSourceCreated)['data']>>): Promise<void> {
  await addMissingSources(queryIn(em), event.data.user_id, [event.data.name]);
}
