import { type User, withoutRights } from '@crm/auth';
import type { TransactionContext } from '@crm/service';
import { claimLead } from '../claims/claim-lead.ts';
import type { Outcome } from '../claims/offer-state.ts';
import { type Declined, declineLead } from '../declines/decline-lead.ts';
import type { ClaimGrant } from './claim-token.ts';

/**
 * Claims a lead for a member who is authenticated not by an access token but by a link or text that only an alert makes
 * possible.
 */
export function claimAs(ctx: TransactionContext, { lead_id, via }: ClaimGrant, user: User): Promise<Outcome> {
  return claimLead(actingAs(ctx, user), { lead_id, user, via });
}

/** Declines a lead for such a member. */
export function declineAs(ctx: TransactionContext, { lead_id }: ClaimGrant, user: User): Promise<Declined> {
  return declineLead(actingAs(ctx, user), lead_id, user);
}

function actingAs({ em, query, requestId, now }: TransactionContext, { id }: User): TransactionContext {
  return { em, query, requestId, now, actor: withoutRights(id) };
}
