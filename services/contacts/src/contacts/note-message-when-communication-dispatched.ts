import { queryIn } from '@crm/data';
import type { communicationDispatched } from '@crm/events';
import type { Delivery } from '@crm/messaging';
import type { z } from 'zod';
import { noteMessage } from './contact.queries.ts';

/** A message that was sent is an activity of its contact, also if the contact has never answered one. */
export async function noteMessageWhenCommunicationDispatched({
  em,
  event,
}: Delivery<z.output<(typeof communicationDispatched)['data']>>): Promise<void> {
  await noteMessage(queryIn(em), event.data.contact_id, new Date(event.time));
}
