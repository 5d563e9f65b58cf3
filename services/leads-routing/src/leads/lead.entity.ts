import { visibleBy } from '@crm/data';
import { defineEntity, p } from '@mikro-orm/core';
import type { DistributionTarget, TeamSelectionMethod } from '../lead-routes/lead-route.api.ts';
import type { FallbackReason, LeadView } from './lead.api.ts';
import { visibleLeads } from './lead.policy.ts';

export type ClaimChannel = Exclude<LeadView['claimed_via'], 'None'>;

const LeadSchema = defineEntity({
  name: 'Lead',
  tableName: 'leads',
  properties: {
    id: p.integer().primary(),
    version: p.integer().version(),
    creator_user_id: p.integer(),
    contact_id: p.integer(),
    /** Null if the contact did not exist or the creator could not see it; such a contact is never shown. */
    contact_owner_user_id: p.integer().nullable(),
    /** The source of the contact when the lead was created, by which the route was chosen. */
    contact_source_id: p.integer().nullable(),
    source_id: p.integer().nullable(),
    /** The chosen route. It may have been removed since; the lead keeps its settings about the team. */
    lead_route_id: p.integer().nullable(),
    distribution_target: p.string().$type<DistributionTarget>(),
    team_selection_method: p.string().$type<TeamSelectionMethod>().nullable(),
    team_id: p.integer().nullable(),
    status: p.string().$type<LeadView['status']>(),
    assigned_user_id: p.integer().nullable(),
    claimed_by_user_id: p.integer().nullable(),
    claimed_at: p.datetime().nullable(),
    claimed_via: p.string().$type<LeadView['claimed_via']>(),
    makes_offers: p.boolean().default(false),
    /** Why the lead went to its creator instead of following its route. */
    fallback_reason: p.string().$type<FallbackReason>().nullable(),
    /** When the lead goes to its creator if nobody has claimed it. */
    runs_out_at: p.datetime().nullable(),
    /** When the user who claimed it was given access to its contact. */
    contact_given_at: p.datetime().nullable(),
    text_body: p.text().nullable(),
    html_body: p.text().nullable(),
    mls_id: p.json<string | number>().columnType('jsonb').nullable(),
    listing_status: p.string().nullable(),
    listing_price: p.string().nullable(),
    street_address: p.string().nullable(),
    city: p.string().nullable(),
    state: p.string().nullable(),
    zipcode: p.json<string | number>().columnType('jsonb').nullable(),
    type: p.string().nullable(),
    created_at: p.datetime(),
    /** The request that submitted the lead: the cause of its return to its creator. */
    cause: p.json().$type<object>().nullable(),
    /** The teams and users with a due offer of the lead. Only the visibility rule reads them. */
    offered_to: p
      .array()
      .columnType('text[]')
      .formula((lead) => `offered_to(${lead.id})`)
      .lazy(),
  },
  filters: visibleBy(visibleLeads),
});

/** An inquiry about a property from a contact, and the user who got it. */
export class Lead extends LeadSchema.class {
  /** A claimed lead stays claimed, even if it is offered again. */
  markOffered() {
    if (this.status === 'Pending') this.status = 'Offered';
  }

  /** Gives the lead to its creator; nobody can claim it any longer. The row must be locked or new. */
  returnToCreator(reason: FallbackReason) {
    this.distribution_target = 'Myself';
    this.team_selection_method = null;
    this.team_id = null;
    this.status = 'Pending';
    this.assigned_user_id = this.creator_user_id;
    this.fallback_reason = reason;
    this.runs_out_at = null;
  }

  /** The row must be locked or new, so that a lead is claimed only once. */
  claim(userId: number, via: ClaimChannel, at: Date) {
    this.status = 'Claimed';
    this.claimed_by_user_id = userId;
    this.claimed_at = at;
    this.claimed_via = via;
    this.assigned_user_id = userId;
    this.runs_out_at = null;
  }
}
LeadSchema.setClass(Lead);
