import { leadClaimed, offerRemoved } from '@crm/events';
import { type Context, publish, publishRemoval } from '@crm/service';
import type { ClaimChannel } from '../leads/lead.entity.ts';
import { eventData } from '../leads/lead-event-data.ts';
import { offerEventData } from '../offers/offer-event-data.ts';
import { claimantOf, dropAlerts, dropPendingOffers, offerHeld, takeLead } from './claim.queries.ts';

/** What a claim works with: a request, or a worker that acts as the system in a transaction of its own. */
export type Claiming = Pick<Context, 'em' | 'query' | 'actor' | 'requestId' | 'now'>;

export interface Attempt {
  readonly lead_id: number;
  readonly user_id: number;
  readonly via: ClaimChannel;
}

export type Outcome =
  /** By this attempt, by an earlier one of the same user, or by somebody who was faster. */
  | { readonly is: 'claimed'; readonly claimed_by_user_id: number }
  /** The user holds no offer, or one whose time has not come, or is out of the team's distribution since. */
  | { readonly is: 'not offered' | 'not due' | 'void' };

/**
 * Claims a lead for a user who holds an offer of it whose time has come. The same for every way to claim; `Auto` is
 * the assignment that nobody asks for. However many claim at once, one gets the lead, and what was still to be
 * offered is dropped in the same transaction.
 */
export async function claimLead(ctx: Claiming, attempt: Attempt): Promise<Outcome> {
  const { lead_id, user_id } = attempt;
  const offer = await offerHeld(ctx.query, lead_id, user_id);
  if (!offer) return { is: 'not offered' };
  if (!offer.isDue) return { is: 'not due' };
  if (offer.claimed_by_user_id !== null) {
    return { is: 'claimed', claimed_by_user_id: offer.claimed_by_user_id };
  }
  if (offer.isVoid) return { is: 'void' };

  const lead = await takeLead(ctx.query, attempt, ctx.now());
  if (!lead) return { is: 'claimed', claimed_by_user_id: await claimantOf(ctx.query, lead_id) };
  await callOff(ctx, attempt);
  publish(ctx, leadClaimed, lead, {
    ...eventData(lead),
    claimed_by_user_id: user_id,
    claimed_via: attempt.via,
  });
  return { is: 'claimed', claimed_by_user_id: user_id };
}

async function callOff(ctx: Claiming, attempt: Attempt) {
  await dropAlerts(ctx.query, attempt);
  for (const offer of await dropPendingOffers(ctx.query, attempt.lead_id)) {
    publishRemoval(ctx, offerRemoved, offer, offerEventData(offer, {}));
  }
}
