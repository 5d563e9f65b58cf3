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
    /** The cause of the addition, passed on to everything scheduled because of it. */
    cause: p.json().$type<object>().nullable(),
    /** The plan to schedule; null once it has been scheduled. */
    plan: p.json<PinnedPlan>().columnType('jsonb').nullable(),
  },
  filters: visibleBy(visibleCampaignContacts),
});

/** A contact in a campaign. A contact can be in the same campaign several times. */
export class CampaignContact extends CampaignContactSchema.class {}
CampaignContactSchema.setClass(CampaignContact);
