import { campaignContactRemoved, type contactRemoved } from '@crm/events';
import { type Delivery, removalOf } from '@crm/messaging';
import { deliveryContext, publish } from '@crm/service';
import { markContactRemoved, removeContactEverywhere } from './campaign-contact.queries.ts';
import { eventData } from './campaign-contact-event-data.ts';

/** Removes the contact from all campaigns, and prevents it from being added to another. */
export async function removeCampaignContactsWhenContactRemoved(
  delivery: Delivery<typeof contactRemoved>,
): Promise<void> {
  const { contact_id } = delivery.event.data;
  const ctx = deliveryContext(delivery);
  await markContactRemoved(ctx.query, contact_id);
  for (const removed of await removeContactEverywhere(ctx.query, contact_id))
    publish(ctx, campaignContactRemoved, removalOf(removed), eventData(removed));
}
