import { system } from '@crm/auth';
import { visibleTo } from '@crm/data';
import { offerDeclined } from '@crm/events';
import { publish, type TransactionContext } from '@crm/service';
import { LockMode } from '@mikro-orm/core';
import type { Member } from '../claims/claim.queries.ts';
import { type Outcome, offerState } from '../claims/offer-state.ts';
import { Lead } from '../leads/lead.entity.ts';
import { beginNextTurn } from '../offers/begin-next-turn.ts';
import { declineOffer, hasOpenOffer } from '../offers/offer.queries.ts';
import { offerEventData } from '../offers/offer-event-data.ts';
import { returnLead } from '../offers/return-lead.ts';

export type Declined = Exclude<Outcome, { readonly is: 'void' }> | { readonly is: 'declined' };

/**
 * Declines a due offer for its user. The next turn begins or, if there is none, the lead goes to its creator. Repeating
 * it changes nothing.
 */
export async function declineLead(ctx: TransactionContext, lead_id: number, user: Member): Promise<Declined> {
  // Locked first, so that of a concurrent claim and decline the second sees the result of the first. The offer, not the
  // visibility of the lead, decides who may decline: a user who follows a link has no access token.
  const lead = await ctx.em.findOne(Lead, lead_id, {
    lockMode: LockMode.PESSIMISTIC_WRITE,
    filters: visibleTo(system),
  });
  const state = await offerState(ctx.query, lead_id, user);
  // Even a void offer can be declined.
  if (state.is !== 'offered' && state.is !== 'void') return state;
  const declined = await declineOffer(ctx.query, lead_id, user.id, ctx.now());
  if (!declined || !lead) return { is: 'declined' };
  publish(ctx, offerDeclined, declined, offerEventData(declined));
  if (lead.distribution_target !== 'Team Rollout') return { is: 'declined' };
  if (!(await hasOpenOffer(ctx.query, lead_id))) {
    await returnLead(ctx, lead, 'Nobody claimed it');
    return { is: 'declined' };
  }
  await beginNextTurn(ctx, lead_id);
  return { is: 'declined' };
}
