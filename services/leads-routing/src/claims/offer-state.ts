import type { Query } from '@crm/data';
import { findOffer, type Member } from './claim.queries.ts';

/** Who has a lead, or why a user cannot claim it. */
export type Outcome =
  /** Claimed by the user, or before by another one. */
  | { readonly is: 'claimed'; readonly claimed_by_user_id: number }
  /** The user has no offer or has left the team, or has an offer that is not due yet or is void. */
  | { readonly is: 'not offered' | 'not due' | 'void' };

export type OfferState = Outcome | { readonly is: 'offered' };

/** Returns `offered` if a user can claim a lead now, or else the reason why not. */
export async function offerState(query: Query, lead_id: number, user: Member): Promise<OfferState> {
  const offer = await findOffer(query, lead_id, user);
  if (!offer) return { is: 'not offered' };
  if (!offer.is_due) return { is: 'not due' };
  if (offer.claimed_by_user_id !== null) {
    return { is: 'claimed', claimed_by_user_id: offer.claimed_by_user_id };
  }
  return { is: offer.is_void ? 'void' : 'offered' };
}
