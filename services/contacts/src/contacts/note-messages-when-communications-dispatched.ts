import { queryIn } from '@crm/data';
import type { communicationDispatched } from '@crm/events';
import type { Deliveries } from '@crm/messaging';
import { keepMessages, noteMessages } from './sent-message.queries.ts';

/** If more arrive at once, a campaign is being sent, whose next messages may go to the same contacts. */
const fewAtOnce = 10;

/**
 * A message that was sent is an activity of its contact, even if the contact has never replied. For a few messages it is
 * recorded at once; for many, only when the campaign has been sent, because a contact has more indexes than everything else
 * that a message writes.
 */
export async function noteMessagesWhenCommunicationsDispatched({
  em,
  events,
}: Deliveries<typeof communicationDispatched>): Promise<void> {
  const messages = events.map(({ data, time }) => ({ contact_id: data.contact_id, at: time }));
  await (messages.length > fewAtOnce ? keepMessages : noteMessages)(queryIn(em), messages);
}
