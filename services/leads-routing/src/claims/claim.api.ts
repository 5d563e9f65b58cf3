import { choice, id, notFound, operation, refusal } from '@crm/contract';
import { z } from 'zod';
import { LeadView } from '../leads/lead.api.ts';

const claimChannel = choice('Email', 'Text', 'Phone');

export const leadClaimed = refusal('Conflict', 'The lead was claimed by someone else.', {
  reason: 'lead_claimed',
  when: 'The lead is claimed or declined after another member claimed it.',
  fix: 'There is nothing to do. `GET /leads/{id}` shows who claimed it.',
  example: 'POST /leads/4001/claim\n\n{}',
  given: 'another member was faster',
});
export const offerVoid = refusal('Conflict', 'The offer is void: you declined it, or it was withdrawn.', {
  reason: 'offer_void',
  when: 'The lead is claimed after its offer was declined or withdrawn.',
  fix: 'Ask the creator of the lead to offer it again.',
  example: 'POST /leads/4001/claim\n\n{}',
  given: 'you have declined the offer',
});
export const offerNotDue = refusal('Forbidden', 'The lead has not been offered to you yet.', {
  reason: 'offer_not_due',
  when: "The lead is claimed or declined before the member's turn.",
  fix: 'Wait for the alert. `notify_at` of the offer says when it is due.',
  example: 'POST /leads/4001/claim\n\n{}',
  given: "it is another member's turn",
});

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
