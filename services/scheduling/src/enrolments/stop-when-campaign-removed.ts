import type { campaignRemoved } from '@crm/events';
import type { Delivery } from '@crm/messaging';
import { deliveryContext } from '@crm/service';
import { stop } from './stop.ts';

/** Nothing more of a removed campaign is sent or to be done. */
export async function stopWhenCampaignRemoved(delivery: Delivery<typeof campaignRemoved>): Promise<void> {
  await stop(deliveryContext(delivery), { campaign_id: delivery.event.data.campaign_id });
}
