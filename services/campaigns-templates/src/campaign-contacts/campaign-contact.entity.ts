import { visibleBy } from '@crm/data';
import { defineEntity, p } from '@mikro-orm/core';
import type { PinnedPlan } from './campaign-contact.api.ts';
import { visibleCampaignContacts } from './campaign-contact.policy.ts';

const CampaignContactSchema = defineEntity({
  name: 'CampaignContact',
  tableName: 'campaign_contacts',
  properties: {
    id: p.integer().primary(),
    version: p.integer().version(),
    campaign_id: p.integer(),
    contact_id: p.integer(),
    user_id: p.integer(),
    created_at: p.datetime(),
    modified_at: p.datetime(),
    scheduled_at: p.datetime().nullable(),
    /** What led to it, for what is scheduled because of it. */
    cause: p.json().$type<object>().nullable(),
    /** What has to be scheduled; null once that is done. */
    plan: p.json<PinnedPlan>().columnType('jsonb').nullable(),
  },
  filters: visibleBy(visibleCampaignContacts),
});

/** A contact in a campaign. The same contact can be in the same campaign several times. */
export class CampaignContact extends CampaignContactSchema.class {}
CampaignContactSchema.setClass(CampaignContact);
