import { type User, withoutRights } from '@crm/auth';
import type { Context } from '@crm/service';
import { type Claiming, claimLead, type Outcome } from '../claims/claim-lead.ts';
import { type Declined, declineLead } from '../declines/decline-lead.ts';
import type { ClaimGrant } from './claim-token.ts';

type Acting = Pick<Context, 'em' | 'query' | 'requestId' | 'now'>;

/** Claims a lead for a member who has no access token, but a link or a text that only an alert can have sent. */
export function claimAs(ctx: Acting, { lead_id, via }: ClaimGrant, user: User): Promise<Outcome> {
  return claimLead(actingAs(ctx, user), { lead_id, user, via });
}

/** Declines a lead for such a member. */
export function declineAs(ctx: Acting, { lead_id }: ClaimGrant, user: User): Promise<Declined> {
  return declineLead(actingAs(ctx, user), lead_id, user);
}

function actingAs({ em, query, requestId, now }: Acting, { id }: User): Claiming {
  return { em, query, requestId, now, actor: withoutRights(id) };
}
