import {
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

export const OfferView = z.object({
  id,
  lead: z.object({
    id,
    distribution_target: distributionTarget,
    contact: z
      .object({ id, first_name: name, last_name: name })
      .nullable()
      .describe('null where the contact is gone'),
  }),
  user_id: id.describe('Whom the lead is offered to'),
  user: z.object({ id, first_name: name, last_name: name, email: name }).nullable(),
  team_id: id,
  team: z
    .object({ id, name: text(255) })
    .nullable()
    .describe('null where the team is gone'),
  rank: integer.nullable().describe('A lower one is offered the lead earlier, in teams that order by `Rank`'),
  notify_at: instant.describe('In the past: sent; in the future: not yet'),
  assign_automatically: flag.describe(
    'The lead is given to the user at `notify_at`; else it is to be claimed',
  ),
  has_call_alert: flag,
  has_text_alert: flag,
  has_email_alert: flag,
});

export const leadNotRolledOut = refusal(
  'BadRequest',
  'Only a lead whose distribution_target is Team Rollout is offered.',
);

const lead_id = id.describe('The lead');

export const offerApi = {
  find: operation({
    rest: 'GET /leads/:lead_id/offers',
    summary: 'List the offers of a lead that were made to oneself or to members of one’s own teams, by time',
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
    summary: 'Offer a lead to those of its team who have not been offered it; answers the new offers',
    input: z.object({ lead_id }),
    output: z.array(OfferView),
    refuses: [notFound, forbidden, leadNotRolledOut],
  }),
};
