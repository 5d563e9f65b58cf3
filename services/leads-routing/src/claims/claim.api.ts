import { choice, id, notFound, operation, refusal } from '@crm/contract';
import { z } from 'zod';
import { LeadView } from '../leads/lead.api.ts';

const claimChannel = choice('Email', 'Text', 'Phone');

export const leadClaimed = refusal('Conflict', 'The lead was claimed by someone else.');
export const offerVoid = refusal('Conflict', 'The offer is void: you declined it, or it was withdrawn.');
export const offerNotDue = refusal('Forbidden', 'The lead has not been offered to you yet.');

export const claimApi = {
  claim: operation({
    rest: 'POST /leads/:id/claim',
    creates: false,
    dryRun: false,
    summary: 'Claim an offered lead; the first user to do so gets it',
    input: z.object({
      id,
      claimed_via: claimChannel.default('Email').describe('The channel of the alert that is answered'),
    }),
    output: LeadView,
    refuses: [notFound, offerNotDue, leadClaimed, offerVoid],
  }),
};
