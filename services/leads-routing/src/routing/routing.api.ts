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
import { distributionTarget } from '../lead-routes/lead-route.api.ts';
import { LeadView } from '../leads/lead.api.ts';

const line = z.string().nullable();

const turn = z.object({
  user: z.object({ id, first_name: line, last_name: line, email: z.string() }).nullable(),
  notify_at: instant.describe('When the member hears of the lead'),
  is_made: z
    .boolean()
    .describe('Whether the offer is made already, or would be by POST /leads/{id}/offers now'),
  assign_automatically: z.boolean(),
  has_call_alert: z.boolean(),
  has_text_alert: z.boolean(),
  has_email_alert: z.boolean(),
});

/** Where a lead goes, and by which rules. */
const RoutingView = z.object({
  lead_route_id: id.nullable().describe('The route that was chosen; null when none fitted'),
  distribution_target: distributionTarget,
  team_selection_method: choice('Specific Team', 'Zipcode').nullable(),
  team: z.object({ id, name: z.string() }).nullable().describe('The team that would be offered the lead now'),
  routes: z
    .array(
      z.object({
        id,
        reason: choice(
          'Chosen',
          'Other lead source',
          'Other type',
          'Other contact source',
          'No filter',
          'Added later',
        ).describe('Why the route is the best, does not fit, or fits less well than the best'),
      }),
    )
    .describe('Every lead route of the creator, judged as it is now'),
  offers: z.array(turn).describe('Those that are made, and those that would be, by time'),
});

export const leadRoutingApi = {
  routing: operation({
    rest: 'GET /leads/:id/routing',
    summary: 'Explain which route a lead has taken, and who is offered it when; for its creator',
    input: z.object({ id }),
    output: RoutingView,
    refuses: [notFound, forbidden],
  }),
};

const simulate = operation({
  rest: 'POST /lead-routes/simulate',
  creates: false,
  summary: 'Tell where a lead would go if it came in now; nothing is stored or sent',
  input: z
    .object({
      contact_id: id.describe('Its contact source counts'),
      source_id: reference.describe('A lead source'),
      type: text(255).nullable(),
      zipcode: LeadView.shape.zipcode,
    })
    .partial(),
  output: RoutingView,
});

export const simulationApi = {
  // A query: it runs outside any transaction, where nothing could be written, and reading is enough to ask for it.
  simulate: { ...simulate, kind: 'query' } satisfies Operation,
};
