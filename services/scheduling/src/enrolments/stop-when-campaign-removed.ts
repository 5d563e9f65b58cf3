import type { campaignRemoved } from '@crm/events';
import type { Delivery } from '@crm/messaging';
import type { z } from 'zod';
import { contextOf } from '../transaction-context.ts';
import { stop } from './stop.ts';

/** Nothing more of a removed campaign is sent or to be done. */
export async function stopWhenCampaignRemoved(
  delivery: Delivery<z.output<(typeof campaignRemoved)['data']>>,
): Promise<void> {
  await stop(contextOf(delivery), { campaign_id: delivery.event.data.campaign_id });
}
