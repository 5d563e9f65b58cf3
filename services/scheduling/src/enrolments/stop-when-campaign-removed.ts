import type { campaignRemoved } from '@crm/events';
import type { Delivery } from '@crm/messaging';
import type { z } from 'zod';
import { contextOf } from '../transaction-context.ts';
import { stop } from './stop.ts';

/** Nobody gets any more of a campaign that is gone. */
export async function stopWhenCampaignRemoved(
  delivery: Delivery<z.output<(typeof campaignRemoved)['data']>>,
): Promise<void> {
  await stop(contextOf(delivery), { campaign_id: delivery.event.data.campaign_id });
}
