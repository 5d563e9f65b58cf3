import type { User } from '@crm/auth';
import { byIds, type Context, type PeerContext } from '@crm/service';
import { claimLead, type Outcome } from '../claims/claim-lead.ts';
import { identity } from '../peers.ts';
import type { ClaimGrant } from './claim-token.ts';

/** Claims a lead for a member who has no access token, but a link or a text that only an alert can have sent. */
export function claimAs(ctx: Context, grant: ClaimGrant): Promise<Outcome> {
  const { em, query, requestId, now } = ctx;
  return claimLead({ em, query, requestId, now, actor: withoutRights(grant.user_id) }, grant);
}

/** The users whose accounts are active. */
export async function activeAmong(peers: PeerContext, ids: readonly number[]): Promise<number[]> {
  const users = await byIds(ids, (portion) => identity.asSystem(peers).users.byIds({ ids: portion }));
  return [...users.values()].filter(({ is_active }) => is_active).map(({ id }) => id);
}

/** The actor of the events. It gives access to nothing. */
const withoutRights = (id: number): User => ({
  id,
  timezone: 'UTC',
  scopes: [],
  is_broker: false,
  broker: null,
  sub_account_user_ids: [],
  team_ids: [],
  teammate_ids: [],
  sharing_teammate_ids: [],
});
