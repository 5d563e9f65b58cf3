import {
  choice,
  forbidden,
  id,
  instant,
  notFound,
  type Operation,
  operation,
  reference,
  text,
} from '@crm/contract';
import { z } from 'zod';
import { distributionTarget, routeReason } from '../lead-routes/lead-route.api.ts';
import { fallbackReason, LeadView } from '../leads/lead.api.ts';

const line = z.string().nullable();

const turn = z.object({
  user: z.object({ id, first_name: line, last_name: line, email: z.string() }).nullable(),
  notify_at: instant.describe('When the member is alerted'),
  is_made: z
    .boolean()
    .describe('True if the offer exists; false if POST /leads/{id}/offers would create it now'),
  assign_automatically: z.boolean(),
  has_call_alert: z.boolean(),
  has_text_alert: z.boolean(),
  has_email_alert: z.boolean(),
});

/** Where a lead goes and why. */
const RoutingView = z.object({
  lead_route_id: id.nullable().describe('The route that was chosen; null if none matched'),
  fallback_reason: fallbackReason
    .nullable()
    .describe('Why it goes to its creator although the route says otherwise'),
  distribution_target: distributionTarget,
  team_selection_method: choice('Specific Team', 'Zipcode').nullable(),
  team: z.object({ id, name: z.string() }).nullable().describe('The team that would be offered the lead now'),
  routes: z
    .array(
      z.object({
        id,
        reason: routeReason.describe('Why the route was chosen, does not match, or matches less well'),
      }),
    )
    .describe('All current lead routes of the creator'),
  offers: z.array(turn).describe('Existing offers, and those that would be created, by time'),
});

export const leadRoutingApi = {
  routing: operation({
    rest: 'GET /leads/:id/routing',
    summary:
      'Explain which route was chosen for a lead, and who is offered it and when; only for its creator',
    input: z.object({ id }),
    output: RoutingView,
    refuses: [notFound, forbidden],
  }),
};

const simulate = operation({
  rest: 'POST /lead-routes/simulate',
  creates: false,
  summary: 'Simulate the routing of a lead; nothing is stored or sent',
  input: z
    .object({
      contact_id: LeadView.shape.contact_id.describe('Its contact source determines the route'),
      source_id: reference.describe('A lead source'),
      type: text(255).nullable(),
      zipcode: LeadView.shape.zipcode,
    })
    .partial(),
  output: RoutingView,
});

export const simulationApi = {
  // A query runs outside any transaction, so it cannot write anything, and the read scope is enough to call it.
  simulate: { ...simulate, kind: 'query' } satisfies Operation,
};
