import { subAccountRemoved } from '@crm/events';
import { removalOf } from '@crm/messaging';
import type { Context } from '@crm/service';
import { LockMode } from '@mikro-orm/core';
import { endDelegations } from '../delegations/end-delegation.ts';
import { publishFor } from '../publish-for.ts';
import { SubAccount } from './sub-account.entity.ts';
import { eventData } from './sub-account-event-data.ts';

/** Removes a locked sub-account with its token, and ends the consent of its user. */
export async function removeSubAccount(
  ctx: Context,
  subAccount: SubAccount,
  byUserId: number,
): Promise<void> {
  await endDelegations(ctx, { sub_account_id: subAccount.id }, byUserId);
  remove(ctx, subAccount, byUserId);
}

function remove(ctx: Context, subAccount: SubAccount, byUserId: number): void {
  ctx.em.remove(subAccount);
  publishFor(ctx, byUserId, subAccountRemoved, removalOf(subAccount), eventData(subAccount));
}

/**
 * Removes all sub-accounts of a user who stops being a broker for good, with their tokens and all consents to this
 * broker. Other brokers may add the users afterwards, with their consent. The broker's account must be locked, so that
 * no sub-account is added meanwhile.
 */
export async function removeSubAccounts(ctx: Context, broker_user_id: number): Promise<void> {
  const subAccounts = await ctx.em.find(
    SubAccount,
    { broker_user_id },
    { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { id: 1 } },
  );
  // Includes the delegations of the sub-accounts, which have the same broker.
  await endDelegations(ctx, { broker_user_id }, broker_user_id);
  for (const subAccount of subAccounts) remove(ctx, subAccount, broker_user_id);
}
