import { subAccountRemoved } from '@crm/events';
import { removalOf } from '@crm/messaging';
import type { Context } from '@crm/service';
import { endDelegations, endDelegationsTo } from '../delegations/end-delegation.ts';
import { publishFor } from '../publish-for.ts';
import { deleteSubAccounts, lockSubAccounts } from './remove-sub-accounts.queries.ts';
import type { SubAccount } from './sub-account.entity.ts';
import { eventData } from './sub-account-event-data.ts';

/** Removes a locked sub-account with its token, and ends the consent of its user. */
export async function removeSubAccount(
  ctx: Context,
  subAccount: SubAccount,
  byUserId: number,
): Promise<void> {
  await endDelegations(ctx, { sub_account_id: subAccount.id }, byUserId);
  ctx.em.remove(subAccount);
  publishRemoved(ctx, subAccount, byUserId);
}

type Removed = Pick<SubAccount, 'id' | 'version' | 'broker_user_id' | 'user_id'>;

function publishRemoved(ctx: Context, subAccount: Removed, byUserId: number): void {
  publishFor(ctx, byUserId, subAccountRemoved, removalOf(subAccount), eventData(subAccount));
}

/**
 * Removes all sub-accounts of a user who stops being a broker for good, with their tokens and all consents to this
 * broker. Other brokers may add the users afterwards, with their consent. The broker's account must be locked, so that
 * no sub-account is added meanwhile.
 */
export async function removeSubAccounts(ctx: Context, broker_user_id: number): Promise<void> {
  await lockSubAccounts(ctx.query, broker_user_id);
  // Includes the delegations of the sub-accounts, which have the same broker.
  await endDelegationsTo(ctx, broker_user_id);
  for (const subAccount of await deleteSubAccounts(ctx.query, broker_user_id)) {
    publishRemoved(ctx, subAccount, broker_user_id);
  }
}
