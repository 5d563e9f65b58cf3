import { find, id, instant, notFilterable, notFound, operation, pageOf, record } from '@crm/contract';
import type { Plan } from '@crm/scheduling/api';
import { z } from 'zod';

export const CampaignContactView = z.object({
  id,
  campaign_id: id.meta({ description: 'The one in the path', [notFilterable]: true }),
  contact_id: id,
  user_id: id.describe('Who put the contact into the campaign'),
  created_at: instant,
  modified_at: instant,
  scheduled_at: instant
    .nullable()
    .describe('Since when its communications and tasks are there; null for the moments until they are'),
});

export type CampaignContactRecord = z.output<typeof CampaignContactView>;
export type PinnedPlan = z.output<typeof Plan>;

const campaign_id = id;

export const campaignContactApi = {
  find: operation({
    rest: 'GET /campaigns/:campaign_id/contacts',
    summary: 'List the contacts that the caller has put into a campaign',
    input: find(CampaignContactView, { own: { campaign_id } }),
    output: pageOf(CampaignContactView),
    refuses: [notFound],
  }),
  get: operation({
    rest: 'GET /campaigns/:campaign_id/contacts/:id',
    summary: 'Read whom the caller has put into a campaign, and whether all is scheduled',
    input: record(CampaignContactView, { campaign_id, id }),
    output: CampaignContactView,
    refuses: [notFound],
  }),
  create: operation({
    rest: 'POST /campaigns/:campaign_id/contacts',
    summary: 'Put a contact into a campaign, which schedules its communications and tasks as they are now',
    input: z.object({ campaign_id, contact_id: id.describe('A contact that the caller sees') }),
    output: CampaignContactView,
    refuses: [notFound],
  }),
  remove: operation({
    rest: 'DELETE /campaigns/:campaign_id/contacts/:id',
    summary: 'Take a contact out of a campaign, with all that is not sent or done yet',
    input: record(CampaignContactView, { campaign_id, id }),
    output: CampaignContactView,
    refuses: [notFound],
  }),
};
