import { visibleBy } from '@crm/data';
import { defineEntity, p } from '@mikro-orm/core';
import { visibleLeadSources } from './lead-source.policy.ts';

const LeadSourceSchema = defineEntity({
  name: 'LeadSource',
  tableName: 'lead_sources',
  properties: {
    id: p.integer().primary(),
    user_id: p.integer(),
    name: p.string(),
  },
  filters: visibleBy(visibleLeadSources),
});

/** A source of leads, such as a website. */
export class LeadSource extends LeadSourceSchema.class {}
LeadSourceSchema.setClass(LeadSource);
