import { visibleBy } from '@crm/data';
import { defineEntity, p } from '@mikro-orm/core';
import type { DistributionTarget, TeamSelectionMethod } from './lead-route.api.ts';
import { visibleLeadRoutes } from './lead-route.policy.ts';

const LeadRouteSchema = defineEntity({
  name: 'LeadRoute',
  tableName: 'lead_routes',
  properties: {
    id: p.integer().primary(),
    version: p.integer().version(),
    creator_user_id: p.integer(),
    campaign_id: p.integer(),
    lead_source_id: p.integer(),
    contact_source_id: p.integer(),
    distribution_target: p.string().$type<DistributionTarget>(),
    team_selection_method: p.string().$type<TeamSelectionMethod>().nullable(),
    team_id: p.integer().nullable(),
    filter: p.string().nullable(),
    makes_offers: p.boolean().default(false),
  },
  filters: visibleBy(visibleLeadRoutes),
});

/** A rule of its creator for the leads of a source. */
export class LeadRoute extends LeadRouteSchema.class {}
LeadRouteSchema.setClass(LeadRoute);
