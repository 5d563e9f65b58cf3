import { tokenInvalid } from '@crm/contract';
import type { Context } from '@crm/service';
import { isAccepted } from './actor.queries.ts';

/**
 * Asks again before a token of somebody else is created: a request that was admitted just before its own token was
 * revoked would otherwise keep what it could do. Throws NotAuthenticated.
 */
export async function demandAccepted({ query, user }: Context): Promise<void> {
  if (!user.access || !(await isAccepted(query, user.access.token_id))) throw tokenInvalid();
}
