import { noRecord } from '@crm/contract';
import { completeText, getRecord, implement, inSteps } from '@crm/service';
import { afterCommit } from '../after-commit.ts';
import { completeLeads } from '../leads/complete-leads.ts';
import { leadRows } from '../leads/lead.queries.ts';
import { claimApi, leadNotOffered, offerNotDue, offerVoid } from './claim.api.ts';
import { seenClaimantOf } from './claim.queries.ts';
import { claimLead } from './claim-lead.ts';
import { giveContactAtOnce } from './give-contact.ts';
import { lostTo } from './lost-to.ts';

const refusals = {
  'not offered': () => leadNotOffered(),
  'not due': () => offerNotDue(),
  void: () => offerVoid(),
};

export const claimHandlers = implement(claimApi, {
  claim: inSteps(claimApi.claim, {
    act: async (ctx, { id, claimed_via }) => {
      const outcome = await claimLead(ctx, { lead_id: id, user: ctx.user, via: claimed_via });
      if (outcome.is === 'claimed') return outcome.claimed_by_user_id;
      // Users who see the lead may know who has it, even without an offer.
      const winner = await seenClaimantOf(ctx.query, ctx.user, id);
      if (winner === undefined && outcome.is === 'not offered') throw noRecord(id);
      if (typeof winner !== 'number') throw refusals[outcome.is]();
      return winner;
    },
    // The winner's name comes from another service, which must not be called inside the transaction.
    finish: async (ctx, winner, { id }) => {
      if (winner !== ctx.user.id) throw await lostTo(ctx, winner);
      await giveContactAtOnce(ctx, id);
      return completeText(getRecord(ctx, leadRows, { id }), completeLeads(ctx, afterCommit(ctx)));
    },
  }),
});
