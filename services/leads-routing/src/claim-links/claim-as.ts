import type { User } from '@crm/auth';
import { byIds, type Context, type PeerContext } from '@crm/service';
import { claimLead, type Outcome } from '../claims/claim-lead.ts';
import { identity } from '../peers.ts';
import type { ClaimGrant } from './claim-token.ts';

/** Claims a lead in the name of a member who did not show a token, but can only have heard of it by an alert. */
export function claimAs(ctx: Context, grant: ClaimGrant): Promise<Outcome> {
  const { em, query, requestId, now } = ctx;
  return claimLead({ em, query, requestId, now, actor: withoutRights(grant.user_id) }, grant);
}

/** Those of the users whose accounts work. */
export async function activeAmong(peers: PeerContext, ids: readonly number[]): Promise<number[]> {
  const users = await byIds(ids, (some) => identity.asSystem(peers).users.byIds({ ids: some }));
  return [...users.values()].filter(({ is_active }) => is_active).map(({ id }) => id);
}

/** Who acted, for the events; nothing is seen in the name of this user. */
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
