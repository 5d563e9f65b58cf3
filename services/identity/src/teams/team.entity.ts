import { visibleBy } from '@crm/data';
import { defineEntity, p } from '@mikro-orm/core';
import { visibleTeams } from './team.policy.ts';

const TeamSchema = defineEntity({
  name: 'Team',
  tableName: 'teams',
  properties: {
    id: p.integer().primary(),
    version: p.integer().version(),
    creator_user_id: p.integer(),
    name: p.string(),
    is_contact_resource_sharing_enabled: p.boolean(),
    order_method: p.string(),
    mins_until_next_alert: p.integer(),
    distribution_zipcodes: p.string().nullable(),
    created_at: p.datetime(),
    modified_at: p.datetime(),
  },
  filters: visibleBy(visibleTeams),
});

/** People who share contacts, calendars and leads. */
export class Team extends TeamSchema.class {
  /** Only teams that order by rank wait between alerts. */
  clearUnusedMinutes() {
    if (this.order_method === 'Time') this.mins_until_next_alert = 0;
  }
}
TeamSchema.setClass(Team);
