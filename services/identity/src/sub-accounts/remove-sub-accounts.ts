import { subAccountRemoved } from '@crm/events';
import { type Context, publishRemoval } from '@crm/service';
import { LockMode } from '@mikro-orm/core';
import { SubAccount } from './sub-account.entity.ts';
import { eventData } from './sub-account-event-data.ts';

/**
 * Lets all sub-accounts of a broker go who is none any more. Their tokens are dead with them, another broker may
 * take the users in, and nothing brings them back. The broker's account was loaded for change, so that none is
 * added meanwhile.
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
