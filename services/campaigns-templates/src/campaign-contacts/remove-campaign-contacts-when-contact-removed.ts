import { queryIn } from '@crm/data';
import { campaignContactRemoved, type contactRemoved } from '@crm/events';
import { type Delivery, publish, removalOf } from '@crm/messaging';
import type { z } from 'zod';
import { markContactRemoved, removeContactEverywhere } from './campaign-contact.queries.ts';
import { eventData } from './campaign-contact-event-data.ts';

/** A removed contact is in no campaign and cannot be added to one. */
export async function removeCampaignContactsWhenContactRemoved({
  em,
  event,
}: Delivery<z.output<(typeof contactRemoved)['data']>>): Promise<void> {
  const { contact_id } = event.data;
  const query = queryIn(em);
  await markContactRemoved(query, contact_id);
  const at = new Date(event.time);
  const origin = { em, actor: 'system', requestId: event.requestid, now: () => at };
  for (const removed of await removeContactEverywhere(query, contact_id))
    publish(origin, campaignContactRemoved, removalOf(removed), eventData(removed));
}
