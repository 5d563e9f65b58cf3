import type { campaignRemoved } from '@crm/events';
import type { Delivery } from '@crm/messaging';
import { deliveryContext } from '@crm/service';
import { stop } from './stop.ts';

/** Ensures that a removed campaign sends nothing and has no open tasks. */
export async function stopWhenCampaignRemoved(delivery: Delivery<typeof campaignRemoved>): Promise<void> {
  await stop(deliveryContext(delivery), { campaign_id: delivery.event.data.campaign_id });
}
