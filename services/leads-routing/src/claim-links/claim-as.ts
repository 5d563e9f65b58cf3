import { withoutRights } from '@crm/auth';
import { byIds, type Context, type PeerContext } from '@crm/service';
import { type Claiming, claimLead, type Outcome } from '../claims/claim-lead.ts';
import { type Declined, declineLead } from '../declines/decline-lead.ts';
import { identity } from '../peers.ts';
import type { ClaimGrant } from './claim-token.ts';

type Acting = Pick<Context, 'em' | 'query' | 'requestId' | 'now'>;

/** Claims a lead for a member who has no access token, but a link or a text that only an alert can have sent. */
export function claimAs(ctx: Acting, grant: ClaimGrant): Promise<Outcome> {
  return claimLead(actingAs(ctx, grant), grant);
}

/** Declines a lead for such a member. */
export function declineAs(ctx: Acting, grant: ClaimGrant): Promise<Declined> {
  return declineLead(actingAs(ctx, grant), grant.lead_id, grant.user_id);
}

function actingAs({ em, query, requestId, now }: Acting, { user_id }: ClaimGrant): Claiming {
  return { em, query, requestId, now, actor: withoutRights(user_id) };
}

/** The users whose accounts are active. */
export async function activeAmong(peers: PeerContext, ids: readonly number[]): Promise<number[]> {
  const users = await byIds(ids, (portion) => identity.asSystem(peers).users.byIds({ ids: portion }));
  return [...users.values()].filter(({ is_active }) => is_active).map(({ id }) => id);
}
