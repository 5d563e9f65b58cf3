import { find, id, instant, notFilterable, notFound, operation, pageOf, record } from '@crm/contract';
import type { Plan } from '@crm/scheduling/api';
import { z } from 'zod';

export const CampaignContactView = z.object({
  id,
  campaign_id: id.meta({ description: 'The campaign in the path', [notFilterable]: true }),
  contact_id: id,
  user_id: id.describe('The user who added the contact to the campaign'),
  created_at: instant,
  modified_at: instant,
  scheduled_at: instant
    .nullable()
    .describe('When its communications and tasks were created; null until then, usually only for a moment'),
});

export type CampaignContactRecord = z.output<typeof CampaignContactView>;
export type PinnedPlan = z.output<typeof Plan>;

const campaign_id = id;

export const campaignContactApi = {
  find: operation({
    rest: 'GET /campaigns/:campaign_id/contacts',
    summary: 'List the contacts that the caller has added to a campaign',
    input: find(CampaignContactView, { own: { campaign_id } }),
    output: pageOf(CampaignContactView),
    refuses: [notFound],
  }),
  get: operation({
    rest: 'GET /campaigns/:campaign_id/contacts/:id',
    summary: 'Read a contact that the caller has added to a campaign, and whether it has been scheduled',
    input: record(CampaignContactView, { campaign_id, id }),
    output: CampaignContactView,
    refuses: [notFound],
  }),
  create: operation({
    rest: 'POST /campaigns/:campaign_id/contacts',
    summary: 'Add a contact to a campaign, which schedules its current communications and tasks',
    input: z.object({ campaign_id, contact_id: id.describe('A contact that the caller can see') }),
    output: CampaignContactView,
    refuses: [notFound],
  }),
  remove: operation({
    rest: 'DELETE /campaigns/:campaign_id/contacts/:id',
    summary: 'Remove a contact from a campaign, with everything that has not been sent or done yet',
    input: record(CampaignContactView, { campaign_id, id }),
    output: CampaignContactView,
    refuses: [notFound],
  }),
};
