import { z } from 'zod';
import { defineEvent } from './define-event.ts';

const campaign = z.object({ campaign_id: z.int(), owner_user_id: z.int().nullable() });
export const campaignCreated = defineEvent(
  'campaigns-templates.campaign.created',
  'A campaign was added',
  campaign,
);
export const campaignChanged = defineEvent(
  'campaigns-templates.campaign.changed',
  'A campaign was renamed, or shared with sub-accounts or no longer',
  campaign,
);
export const campaignRemoved = defineEvent(
  'campaigns-templates.campaign.removed',
  'A campaign is gone',
  campaign,
);
