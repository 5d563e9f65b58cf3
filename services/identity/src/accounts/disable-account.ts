import { userDisabled, userEnabled } from '@crm/events';
import { type Context, publish } from '@crm/service';
import { removeSubAccounts } from '../sub-accounts/remove-sub-accounts.ts';
import { lockSubAccountOf, renewToken } from '../sub-accounts/sub-account-token.ts';
import type { User } from '../users/user.entity.ts';
import { eventData } from '../users/user-event-data.ts';
import { revokeTokens } from './revoke-tokens.ts';

/** Disables an account and, in the same transaction, revokes everything that could act for it. */
export async function disableAccount(ctx: Context, user: User): Promise<void> {
  if (user.disabled_at) return;
  ctx.em.assign(user, { disabled_at: ctx.now(), modified_at: ctx.now() });
  await removeSubAccounts(ctx, user.id);
  await revokeTokens(ctx, user);
  publish(ctx, userDisabled, user, eventData(user));
}

/** Revoked tokens stay revoked; only the token that a broker uses for a sub-account is renewed. */
export async function enableAccount(ctx: Context, user: User, key: string): Promise<void> {
  if (!user.disabled_at) return;
  ctx.em.assign(user, { disabled_at: null, modified_at: ctx.now() });
  const subAccount = await lockSubAccountOf(ctx, user.id);
  if (subAccount) renewToken(ctx, subAccount, key);
  await ctx.em.flush();
  publish(ctx, userEnabled, user, eventData(user));
}
