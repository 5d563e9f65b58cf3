import type { BrokerSwitches } from '@crm/contract';
import { subAccountCreated } from '@crm/events';
import { type Context, flushOr } from '@crm/service';
import type { Delegation } from '../delegations/delegation.entity.ts';
import { publishFor } from '../publish-for.ts';
import { newGeneration } from '../tokens/generation.ts';
import { notAllowed } from './sub-account.api.ts';
import { SubAccount } from './sub-account.entity.ts';
import { eventData } from './sub-account-event-data.ts';
import { createToken } from './sub-account-token.ts';

interface Draft {
  /** The consent of the user, which can be used only once. */
  readonly delegation: Delegation;
  readonly user_id: number;
  readonly switches: BrokerSwitches;
}

/**
 * Creates a sub-account with the token with which the broker acts as the user. A user has one broker: of two concurrent
 * calls, one is refused.
 */
export async function createSubAccount(
  ctx: Context,
  { delegation, user_id, switches }: Draft,
  byUserId: number,
  key: string,
): Promise<SubAccount> {
  const { em, now } = ctx;
  const { broker_user_id } = delegation;
  const stamps = { created_at: now(), modified_at: now() };
  const subAccount = em.create(SubAccount, {
    ...switches,
    ...stamps,
    user_id,
    generation: newGeneration(),
    broker_user_id,
  });
  await flushOr(ctx, { sub_accounts_user_id_key: notAllowed });
  em.assign(delegation, { state: 'active', sub_account_id: subAccount.id, expires_at: null });
  createToken(ctx, subAccount, key);
  await em.flush();
  publishFor(ctx, byUserId, subAccountCreated, subAccount, eventData(subAccount));
  return subAccount;
}
