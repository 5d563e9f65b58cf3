import { userDisabled, userEnabled } from '@crm/events';
import { type Context, publish } from '@crm/service';
import { removeSubAccounts } from '../sub-accounts/remove-sub-accounts.ts';
import { renewToken, subAccountOf } from '../sub-accounts/sub-account-token.ts';
import { revokeTokens } from './revoke-tokens.ts';
import type { User } from './user.entity.ts';
import { eventData } from './user-event-data.ts';

/** Ends an account with all that could act for it, in the transaction that disables it. */
export async function disableUser(ctx: Context, user: User): Promise<void> {
  if (user.disabled_at) return;
  ctx.em.assign(user, { disabled_at: ctx.now(), modified_at: ctx.now() });
  await removeSubAccounts(ctx, user.id);
  await revokeTokens(ctx, user);
  publish(ctx, userDisabled, user, eventData(user));
}

/** What was revoked stays revoked; only a broker whose sub-account the user is gets a new token to show. */
export async function enableUser(ctx: Context, user: User, key: string): Promise<void> {
  if (!user.disabled_at) return;
  ctx.em.assign(user, { disabled_at: null, modified_at: ctx.now() });
  const subAccount = await subAccountOf(ctx, user.id);
  if (subAccount) renewToken(ctx, subAccount, key);
  await ctx.em.flush();
  publish(ctx, userEnabled, user, eventData(user));
}
