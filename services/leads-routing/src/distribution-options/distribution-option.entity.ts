import { visibleBy } from '@crm/data';
import { defineEntity, p } from '@mikro-orm/core';
import { visibleDistributionOptions } from './distribution-option.policy.ts';

const DistributionOptionSchema = defineEntity({
  name: 'DistributionOption',
  tableName: 'distribution_options',
  properties: {
    id: p.integer().primary(),
    version: p.integer().version(),
    /** The creator of the team too: nobody else may add options, and a team never gets another creator. */
    creator_user_id: p.integer(),
    team_id: p.integer(),
    user_id: p.integer(),
    rank: p.integer(),
    mins_until_lead_offer: p.integer(),
    assign_automatically: p.boolean(),
    has_call_alert: p.boolean(),
    has_text_alert: p.boolean(),
    has_email_alert: p.boolean(),
    created_at: p.datetime(),
    modified_at: p.datetime(),
  },
  filters: visibleBy(visibleDistributionOptions),
});

/** When and how one member of a team is offered its leads. */
export class DistributionOption extends DistributionOptionSchema.class {
  /** Clears the minutes unless the team orders by time: only then does each member have a delay. */
  fitMinutesTo(orderMethod: 'Rank' | 'Time') {
    if (orderMethod === 'Rank') this.mins_until_lead_offer = 0;
  }
}
DistributionOptionSchema.setClass(DistributionOption);
