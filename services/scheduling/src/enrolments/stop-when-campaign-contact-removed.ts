import type { campaignContactRemoved } from '@crm/events';
import type { Hearing } from '@crm/messaging';
import type { z } from 'zod';
import { writingOf } from '../writing.ts';
import { stop } from './stop.ts';

/** The same as was asked for at once, in case that could not be done. */
export async function stopWhenCampaignContactRemoved(
  hearing: Hearing<z.output<(typeof campaignContactRemoved)['data']>>,
): Promise<void> {
  await stop(writingOf(hearing), { campaign_contact_id: hearing.event.data.campaign_contact_id });
}
