import type { Actor } from '@crm/auth';
import { filterOfVisible, objectOf, readModel } from '@crm/data';
import type { Binds } from '@crm/query';
import { leadSourceRows } from '../lead-sources/lead-source.queries.ts';
import { LeadRouteView } from './lead-route.api.ts';
import { visibleLeadRoutes } from './lead-route.policy.ts';

/** A SQL condition: the lead source is that of the route, and the reader may use it. */
const isUsable = (reader: Actor, binds: Binds) =>
  `lead_sources.id = lead_routes.lead_source_id and ${filterOfVisible(leadSourceRows, reader, binds)}`;

/** Records of other services are read as ids, which handlers replace. */
export const leadRouteRows = readModel(LeadRouteView, {
  table: 'lead_routes',
  visible: visibleLeadRoutes,
  hidden: { creator_user_id: { kind: 'integer', sql: 'lead_routes.creator_user_id' } },
  nested: {
    team: 'lead_routes.team_id',
    campaign: 'lead_routes.campaign_id',
    lead_source: (reader, binds) => objectOf(leadSourceRows, isUsable(reader, binds), ['id', 'name']),
    contact_source: 'lead_routes.contact_source_id',
    problems: (reader, binds) => `json_build_object(
      'team', lead_routes.team_id, 'campaign', lead_routes.campaign_id,
      'contact_source', lead_routes.contact_source_id,
      'lead_source', (select id from lead_sources where ${isUsable(reader, binds)}))`,
  },
});
