import { queryIn } from '@crm/data';
import type { communicationDispatched } from '@crm/events';
import type { Deliveries } from '@crm/messaging';
import type { z } from 'zod';
import { noteMessages } from './contact.queries.ts';

/** A message that was sent is an activity of its contact, also if the contact has never answered one. */
export async function noteMessagesWhenCommunicationsDispatched({
  em,
  events,
}: Deliveries<z.output<(typeof communicationDispatched)['data']>>): Promise<void> {
  const messages = events.map(({ data, time }) => ({ contact_id: data.contact_id, at: time }));
  await noteMessages(queryIn(em), messages);
}
