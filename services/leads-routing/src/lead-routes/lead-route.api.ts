import {
  choice,
  find,
  flag,
  id,
  ignoring,
  integer,
  notFound,
  operation,
  pageOf,
  record,
  reference,
  text,
} from '@crm/contract';
import { z } from 'zod';

const named = z.object({ id, name: z.string() }).nullable();

/** Why a route was chosen for a lead or not. */
export const routeReason = choice(
  'Chosen',
  'Other lead source',
  'Other type',
  'Other contact source',
  'No filter',
  'Added later',
);
export type RouteReason = z.output<typeof routeReason>;

export const distributionTarget = choice('Myself', 'Team Rollout');
export type DistributionTarget = z.output<typeof distributionTarget>;

/** Some clients send `None` for null, and forms send an empty text. */
const teamSelectionMethod = z
  .preprocess(
    (value) => (value === 'None' || value === '' ? null : value),
    choice('Specific Team', 'Zipcode').nullable(),
  )
  .describe('Only with `Team Rollout`; `None` is read as null');
export type TeamSelectionMethod = NonNullable<z.output<typeof teamSelectionMethod>>;

export const routeProblem = choice(
  'Team removed',
  'Campaign not available',
  'Lead source not available',
  'Contact source removed',
);
export type RouteProblem = z.output<typeof routeProblem>;

const routeTeam = z.object({
  id,
  name: z.string(),
  is_sharing_contacts: integer.describe('1 or 0'),
  order_method: integer.describe('1 for Rank, 2 for Time'),
  mins_until_next_alert: integer,
  distribution_zipcodes: z.string().nullable(),
});

export const LeadRouteView = z.object({
  id,
  team_id: reference.describe('Only with `Specific Team`; a team that the caller has created'),
  team: routeTeam.nullable(),
  campaign_id: id.describe('The campaign to which you add the contact of such a lead'),
  campaign: named.describe('Null if it was removed or is no longer shared'),
  lead_source_id: id,
  lead_source: named.describe('Null if the broker no longer shares it'),
  contact_source_id: id,
  contact_source: named.describe('Null if it was removed'),
  distribution_target: distributionTarget,
  team_selection_method: teamSelectionMethod,
  filter: text(255).nullable().describe('The type that a lead must have, ignoring case'),
  makes_offers: flag.describe('Whether a lead is offered to the team as soon as it is submitted'),
  problems: z
    .array(routeProblem)
    .describe(
      'References of the route to what is no longer available; until they are changed, its leads go to its creator',
    ),
});

const required = {
  campaign_id: true,
  lead_source_id: true,
  contact_source_id: true,
  distribution_target: true,
} as const;

const draft = LeadRouteView.pick({
  ...required,
  team_id: true,
  team_selection_method: true,
  filter: true,
  makes_offers: true,
});

/** The fields that a target does not use. Clients send them with the rest of a record. */
function unusedFields(sent: Readonly<Record<string, unknown>>): readonly string[] {
  if (sent.distribution_target === 'Myself') return ['team_selection_method', 'team_id'];
  return sent.team_selection_method === 'Zipcode' ? ['team_id'] : [];
}

export const leadRouteApi = {
  find: operation({
    rest: 'GET /lead-routes',
    summary: 'List the lead routes of the caller',
    input: find(LeadRouteView),
    output: pageOf(LeadRouteView),
  }),
  get: operation({
    rest: 'GET /lead-routes/:id',
    summary: 'Read a lead route',
    input: record(LeadRouteView, { id }),
    output: LeadRouteView,
    refuses: [notFound],
  }),
  create: operation({
    rest: 'POST /lead-routes',
    summary: 'Add a lead route',
    example: {
      lead_source_id: 4201,
      contact_source_id: 4202,
      campaign_id: 4203,
      distribution_target: 'Team Rollout',
      team_selection_method: 'Specific Team',
      team_id: 4204,
    },
    input: ignoring(draft.partial().extend(draft.pick(required).shape), unusedFields),
    output: LeadRouteView,
  }),
  patch: operation({
    rest: 'PATCH /lead-routes/:id',
    summary: 'Change a lead route; team and selection method follow from all of its fields together',
    example: { distribution_target: 'Myself' },
    input: ignoring(record(LeadRouteView, { id, ...draft.partial().shape }), unusedFields),
    output: LeadRouteView,
    refuses: [notFound],
  }),
  remove: operation({
    rest: 'DELETE /lead-routes/:id',
    summary: 'Remove a lead route; leads that it already routed are not affected',
    input: record(LeadRouteView, { id }),
    output: LeadRouteView,
    refuses: [notFound],
  }),
};
