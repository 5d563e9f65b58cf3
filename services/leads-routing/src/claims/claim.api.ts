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
export const leadNotOffered = refusal('Forbidden', 'The lead has not been offered to you.', {
  reason: 'lead_not_offered',
  when: 'A lead that the user sees, such as one that the user has submitted, is claimed or declined by the user without an offer.',
  fix: 'Leave the lead to the members to whom it is offered. If it is assigned to you, it is yours without a claim.',
  example: 'POST /leads/4001/claim\n\n{}',
  given: 'you have submitted the lead, and it is offered to others',
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
    refuses: [notFound, leadNotOffered, offerNotDue, leadClaimed, offerVoid],
  }),
};
