import type { campaignRemoved } from '@crm/events';
import type { Hearing } from '@crm/messaging';
import type { z } from 'zod';
import { writingOf } from '../writing.ts';
import { stop } from './stop.ts';

/** Nobody gets any more of a campaign that is gone. */
export async function stopWhenCampaignRemoved(
  hearing: Hearing<z.output<(typeof campaignRemoved)['data']>>,
): Promise<void> {
  await stop(writingOf(hearing), { campaign_id: hearing.event.data.campaign_id });
}
