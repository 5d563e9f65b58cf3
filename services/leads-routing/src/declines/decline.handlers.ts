import { noRecord } from '@crm/contract';
import { JsonText } from '@crm/data';
import { type Context, implement, inSteps } from '@crm/service';
import { afterCommit } from '../after-commit.ts';
import { leadNotOffered, offerNotDue } from '../claims/claim.api.ts';
import { seenClaimantOf } from '../claims/claim.queries.ts';
import { lostTo } from '../claims/lost-to.ts';
import { completeOffers } from '../offers/complete-offers.ts';
import { Offer } from '../offers/offer.entity.ts';
import { offersOf } from '../offers/offer.queries.ts';
import { declineApi } from './decline.api.ts';
import { declineLead } from './decline-lead.ts';

export const declineHandlers = implement(declineApi, {
  decline: inSteps(declineApi.decline, {
    act: async (ctx, { id }) => {
      const outcome = await declineLead(ctx, id, ctx.user);
      if (outcome.is === 'not offered') {
        const isSeen = (await seenClaimantOf(ctx.query, ctx.user, id)) !== undefined;
        throw isSeen ? leadNotOffered() : noRecord(id);
      }
      if (outcome.is === 'not due') throw offerNotDue();
      return outcome.is === 'claimed' ? outcome.claimed_by_user_id : null;
    },
    finish: async (ctx, claimant, { id }) => {
      if (claimant !== null) throw await lostTo(ctx, claimant);
      return shownOffer(ctx, id);
    },
  }),
});

async function shownOffer(ctx: Context, leadId: number) {
  const { id } = await ctx.em.findOneOrFail(Offer, { lead_id: leadId, user_id: ctx.user.id });
  const [shown] = await completeOffers(ctx, afterCommit(ctx))(await offersOf(ctx.query, [id]));
  return new JsonText(JSON.stringify(shown));
}
