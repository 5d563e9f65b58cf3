import type { Context } from '@crm/service';
import { Delegation } from '../delegations/delegation.entity.ts';
import { endDelegations } from '../delegations/end-delegation.ts';
import type { User } from '../users/user.entity.ts';
import { lockSubAccountOf } from './sub-account-token.ts';

/**
 * Ends the consents of a user to brokers when the account is disabled or its password changes, because somebody else
 * may have known the password. A sub-account stays and waits for a new consent. The account must be locked.
 */
export async function suspendDelegations(
  ctx: Context,
  { id: user_id, disabled_at }: Pick<User, 'id' | 'disabled_at'>,
): Promise<void> {
  const subAccount = await lockSubAccountOf(ctx, user_id);
  await endDelegations(ctx, { user_id, given_at: { $ne: null } }, user_id, disabled_at != null);
  if (!subAccount) return;
  const { id: sub_account_id, broker_user_id } = subAccount;
  if (await ctx.em.findOne(Delegation, { sub_account_id, state: 'pending' })) return;
  const stamps = { created_at: ctx.now(), modified_at: ctx.now() };
  ctx.em.create(Delegation, { broker_user_id, user_id, sub_account_id, state: 'pending', ...stamps });
  await ctx.em.flush();
}
