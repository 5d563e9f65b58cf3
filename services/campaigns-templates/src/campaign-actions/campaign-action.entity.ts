import { defineEntity, p } from '@mikro-orm/core';
import type { CampaignActionRecord as View } from './campaign-action.api.ts';

const CampaignActionSchema = defineEntity({
  name: 'CampaignAction',
  tableName: 'campaign_actions',
  properties: {
    id: p.integer().primary(),
    version: p.integer().version(),
    campaign_id: p.integer(),
    type: p.string().$type<View['type']>(),
    assigned_user_id: p.integer().nullable(),
    template_id: p.integer().nullable(),
    timing_type: p.string().$type<View['timing_type']>(),
    recurrence: p.string().nullable(),
    event_trigger_type: p.string().$type<View['event_trigger_type']>(),
    delay_by_seconds: p.integer().nullable(),
    delay_by_days: p.integer().nullable(),
    dispatch_time: p.string().nullable(),
    dispatch_datetime: p.datetime().nullable(),
    notes: p.string().nullable(),
    is_stopped_on_text_reply: p.boolean(),
  },
});

/**
 * A step that a campaign takes for each of its contacts. It is only reached through a campaign that the caller sees, so
 * it has no visibility rule of its own.
 */
export class CampaignAction extends CampaignActionSchema.class {}
CampaignActionSchema.setClass(CampaignAction);
