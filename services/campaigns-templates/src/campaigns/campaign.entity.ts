import { visibleBy } from '@crm/data';
import { defineEntity, p } from '@mikro-orm/core';
import { visibleCampaigns } from './campaign.policy.ts';

const CampaignSchema = defineEntity({
  name: 'Campaign',
  tableName: 'campaigns',
  properties: {
    id: p.integer().primary(),
    version: p.integer().version(),
    owner_user_id: p.integer().nullable(),
    name: p.string(),
    is_broker_sharing_on: p.boolean(),
    is_default: p.boolean(),
    created_at: p.datetime(),
    modified_at: p.datetime(),
  },
  filters: visibleBy(visibleCampaigns),
});

/** A set of actions that are carried out for each contact that is added to it. */
export class Campaign extends CampaignSchema.class {}
CampaignSchema.setClass(Campaign);
