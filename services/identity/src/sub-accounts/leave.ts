import { noRecord } from '@crm/contract';
import type { Context } from '@crm/service';
import { LockMode } from '@mikro-orm/core';
import { Delegation } from '../delegations/delegation.entity.ts';
import { endDelegation } from '../delegations/end-delegation.ts';
import { removeSubAccount } from './remove-sub-accounts.ts';
import { lockSubAccountOf } from './sub-account-token.ts';

type Side = { readonly user_id: number } | { readonly broker_user_id: number };

/**
 * Ends a delegation on behalf of its user or its broker, with the sub-account if there is one. Throws NotFound for a
 * delegation that is not theirs or has ended.
 */
export async function leave(ctx: Context, id: number, side: Side): Promise<void> {
  const which = { ...side, id, state: ['pending' as const, 'active' as const] };
  const found = await ctx.em.findOne(Delegation, which);
  if (!found) throw noRecord(id);
  const byUserId = 'user_id' in side ? side.user_id : side.broker_user_id;
  const { sub_account_id, user_id } = found;
  const subAccount = sub_account_id && user_id ? await lockSubAccountOf(ctx, user_id) : null;
  if (subAccount && subAccount.id === sub_account_id) return removeSubAccount(ctx, subAccount, byUserId);
  const refresh = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true };
  const delegation = await ctx.em.findOne(Delegation, which, refresh);
  if (!delegation) throw noRecord(id);
  await endDelegation(ctx, delegation, byUserId);
}
