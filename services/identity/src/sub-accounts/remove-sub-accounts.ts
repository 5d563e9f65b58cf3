import { subAccountRemoved } from '@crm/events';
import { type Context, publishRemoval } from '@crm/service';
import { LockMode } from '@mikro-orm/core';
import { SubAccount } from './sub-account.entity.ts';
import { eventData } from './sub-account-event-data.ts';

/**
 * Removes all sub-accounts of a user who stops being a broker, with their tokens and for good. Another broker may add
 * the users afterwards. The broker's account is locked, so that no sub-account is added meanwhile.
 */
export async function removeSubAccounts(ctx: Context, broker_user_id: number): Promise<void> {
  const subAccounts = await ctx.em.find(
    SubAccount,
    { broker_user_id },
    { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { id: 1 } },
  );
  for (const subAccount of subAccounts) {
    ctx.em.remove(subAccount);
    publishRemoval(ctx, subAccountRemoved, subAccount, eventData(subAccount));
  }
}
