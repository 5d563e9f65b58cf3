import {
  choice,
  find,
  flag,
  forbidden,
  id,
  instant,
  integer,
  notFound,
  operation,
  pageOf,
  record,
  refusal,
  text,
} from '@crm/contract';
import { z } from 'zod';
import { distributionTarget } from '../lead-routes/lead-route.api.ts';

const name = text(255).nullable();

/** From the best to the worst. */
const alertState = choice('Sent', 'Waiting', 'Unknown', 'Failed', 'Dropped');

export const OfferView = z.object({
  id,
  lead: z.object({
    id,
    distribution_target: distributionTarget,
    contact: z
      .object({ id, first_name: name, last_name: name })
      .nullable()
      .describe(
        'Null if the contact was removed, the offer is no longer valid, or the creator of the lead can no longer see the contact',
      ),
  }),
  user_id: id.describe('The user to whom the lead is offered'),
  user: z.object({ id, first_name: name, last_name: name, email: name }).nullable(),
  team_id: id,
  team: z
    .object({ id, name: text(255) })
    .nullable()
    .describe('Null if the team was removed'),
  rank: integer
    .nullable()
    .describe('In teams that order by `Rank`, a lower rank is offered the lead earlier'),
  notify_at: instant.describe('When the user is alerted; an offer in the future has not been sent'),
  declined_at: instant.nullable().describe('When the user declined it'),
  assign_automatically: flag.describe(
    'Whether the lead is assigned to the user at `notify_at`; otherwise it has to be claimed',
  ),
  has_call_alert: flag,
  has_text_alert: flag,
  has_email_alert: flag,
  alert_state: alertState
    .nullable()
    .describe('The outcome of the alerts of the offer: the best of their states; null if it has none'),
  alert_reason: text(500)
    .nullable()
    .describe('Why no alert was sent, or was sent by e-mail instead of to a phone'),
});

export const leadNotRolledOut = refusal(
  'BadRequest',
  'Only a lead whose distribution_target is Team Rollout can be offered.',
  {
    reason: 'lead_not_rolled_out',
    when: 'Offers are requested for a lead whose target is not Team Rollout.',
    fix: 'Change the target of the lead route to `Team Rollout`; this applies to leads that are submitted afterwards.',
    example: 'POST /leads/4001/offers\n\n{}',
    given: 'the lead has the target `Myself`',
  },
);

const lead_id = id.describe('The lead');

export const offerApi = {
  find: operation({
    rest: 'GET /leads/:lead_id/offers',
    summary: "List the offers of a lead to the caller and to members of the caller's teams, by time",
    input: find(OfferView, { own: { lead_id } }),
    output: pageOf(OfferView),
    refuses: [notFound],
  }),
  get: operation({
    rest: 'GET /leads/:lead_id/offers/:id',
    summary: 'Read an offer of a lead',
    input: record(OfferView, { lead_id, id }),
    output: OfferView,
    refuses: [notFound],
  }),
  send: operation({
    rest: 'POST /leads/:lead_id/offers',
    summary:
      'Offer a lead to the members of its team who have no offer yet; returns the new offers and those made by its route',
    input: z.object({ lead_id }),
    output: z.array(OfferView),
    refuses: [notFound, forbidden, leadNotRolledOut],
  }),
};
