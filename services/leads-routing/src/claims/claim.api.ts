import { choice, id, notFound, operation, refusal } from '@crm/contract';
import { z } from 'zod';
import { LeadView } from '../leads/lead.api.ts';

export const claimChannel = choice('Email', 'Text', 'Phone');

export const leadClaimed = refusal('Conflict', 'The lead was claimed by somebody else.');
export const offerVoid = refusal(
  'Conflict',
  'The offer is void: its team does not offer you leads any more.',
);
export const offerNotDue = refusal('Forbidden', 'The lead is not offered to you yet.');

export const claimApi = {
  claim: operation({
    rest: 'POST /leads/:id/claim',
    creates: false,
    summary: 'Claim a lead that one is offered; the first to do so gets it',
    input: z.object({
      id,
      claimed_via: claimChannel.default('Email').describe('How one heard of it'),
    }),
    output: LeadView,
    refuses: [notFound, offerNotDue, leadClaimed, offerVoid],
  }),
};
