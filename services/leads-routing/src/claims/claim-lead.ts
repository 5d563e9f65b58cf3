import { leadClaimed, offerRemoved } from '@crm/events';
import { removalOf } from '@crm/messaging';
import { publish, type TransactionContext } from '@crm/service';
import type { ClaimChannel } from '../leads/lead.entity.ts';
import { eventData } from '../leads/lead-event-data.ts';
import { removePendingOffers } from '../offers/offer.queries.ts';
import { offerEventData } from '../offers/offer-event-data.ts';
import { claimUnclaimed, dropAlerts, lockLead, type Member, type NewClaim } from './claim.queries.ts';
import { type Outcome, offerState } from './offer-state.ts';

interface ClaimAttempt {
  readonly lead_id: number;
  readonly user: Member;
  readonly via: ClaimChannel;
}

/**
 * Claims a lead for a user who has a due offer of it. Used by every channel; `Auto` is the automatic assignment.
 * However many users claim at once, one gets the lead, and its pending offers are removed in the same transaction.
 */
export async function claimLead(ctx: TransactionContext, attempt: ClaimAttempt): Promise<Outcome> {
  const { lead_id, user, via } = attempt;
  const before = await offerState(ctx.query, lead_id, user);
  if (before.is !== 'offered') return before;
  // Checked again under the lock, because another request may have claimed or declined the lead meanwhile.
  await lockLead(ctx.query, lead_id);
  const state = await offerState(ctx.query, lead_id, user);
  if (state.is !== 'offered') return state;

  const claim = { lead_id, user_id: user.id, via };
  const lead = await claimUnclaimed(ctx, claim);
  await dropOffers(ctx, claim);
  publish(ctx, leadClaimed, lead, {
    ...eventData(lead),
    claimed_by_user_id: user.id,
    claimed_via: via,
  });
  return { is: 'claimed', claimed_by_user_id: user.id };
}

async function dropOffers(ctx: TransactionContext, claim: NewClaim) {
  await dropAlerts(ctx.query, claim);
  for (const offer of await removePendingOffers(ctx.query, claim.lead_id)) {
    publish(ctx, offerRemoved, removalOf(offer), offerEventData(offer));
  }
}
