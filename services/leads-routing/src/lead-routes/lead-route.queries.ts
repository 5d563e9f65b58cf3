import { objectOf, readModel } from '@crm/data';
import { leadSourceRows } from '../lead-sources/lead-source.queries.ts';
import { LeadRouteView } from './lead-route.api.ts';
import { visibleLeadRoutes } from './lead-route.policy.ts';

/** Records of other services are ids, which handlers replace. */
export const leadRouteRows = readModel(LeadRouteView, {
  table: 'lead_routes',
  visible: visibleLeadRoutes,
  hidden: { creator_user_id: { kind: 'integer', sql: 'lead_routes.creator_user_id' } },
  nested: {
    team: 'lead_routes.team_id',
    campaign: 'lead_routes.campaign_id',
    lead_source: objectOf(leadSourceRows, 'lead_sources.id = lead_routes.lead_source_id', ['id', 'name']),
    contact_source: 'lead_routes.contact_source_id',
    problems: `json_build_object(
      'team', lead_routes.team_id, 'campaign', lead_routes.campaign_id,
      'contact_source', lead_routes.contact_source_id)`,
  },
});
