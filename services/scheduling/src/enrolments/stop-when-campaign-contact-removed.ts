import type { campaignContactRemoved } from '@crm/events';
import type { Delivery } from '@crm/messaging';
import { deliveryContext } from '@crm/service';
import { stop } from './stop.ts';

/** Repeats the stop that was requested directly, in case that request failed. */
export async function stopWhenCampaignContactRemoved(
  delivery: Delivery<typeof campaignContactRemoved>,
): Promise<void> {
  await stop(deliveryContext(delivery), { campaign_contact_id: delivery.event.data.campaign_contact_id });
}
