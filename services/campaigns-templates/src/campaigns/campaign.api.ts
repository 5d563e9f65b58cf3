import {
  find,
  flag,
  forbidden,
  id,
  instant,
  notFound,
  operation,
  pageOf,
  record,
  refusal,
  text,
} from '@crm/contract';
import { z } from 'zod';

export const CampaignView = z.object({
  id,
  name: text(255)
    .min(1, { error: 'must not be empty' })
    .meta({ examples: ['Welcome'] }),
  created_at: instant,
  modified_at: instant,
  is_broker_sharing_on: flag.describe('Whether sub-accounts of its owner see it and may add contacts to it'),
  is_default: flag.describe('Whether it is built in, in which case nobody can change it'),
  is_shared_by_broker: flag.describe("Whether the caller sees it because the caller's broker shares it"),
});

const draft = CampaignView.pick({ name: true, is_broker_sharing_on: true });

export const nameTaken = refusal('Conflict', 'A campaign with this name already exists.', {
  reason: 'campaign_name_taken',
  when: 'Another campaign of the same owner has this name, ignoring case.',
  fix: 'Choose another name, or change the existing campaign: `GET /campaigns?name=…`.',
  example: 'POST /campaigns\n\n{ "name": "Welcome" }',
  given: 'you have a campaign with this name',
});

export const campaignApi = {
  find: operation({
    rest: 'GET /campaigns',
    summary: "List campaigns: the caller's own, those that the broker shares, and built-in ones",
    input: find(CampaignView),
    output: pageOf(CampaignView),
  }),
  get: operation({
    rest: 'GET /campaigns/:id',
    summary: 'Read a campaign',
    input: record(CampaignView, { id }),
    output: CampaignView,
    refuses: [notFound],
  }),
  create: operation({
    rest: 'POST /campaigns',
    summary: 'Add a campaign',
    input: draft.partial({ is_broker_sharing_on: true }),
    output: CampaignView,
    refuses: [nameTaken],
  }),
  patch: operation({
    rest: 'PATCH /campaigns/:id',
    summary: 'Change a campaign',
    input: record(CampaignView, { id, ...draft.partial().shape }),
    output: CampaignView,
    refuses: [notFound, forbidden, nameTaken],
  }),
};

export const campaignRemovalApi = {
  remove: operation({
    rest: 'DELETE /campaigns/:id',
    summary: 'Remove a campaign with its actions and contacts',
    input: record(CampaignView, { id }),
    output: CampaignView,
    refuses: [notFound, forbidden],
  }),
};
