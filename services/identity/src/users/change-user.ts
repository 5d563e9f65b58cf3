import { wrong } from '@crm/contract';
import { userChanged } from '@crm/events';
import { type Context, publish } from '@crm/service';
import type { z } from 'zod';
import { removeSubAccounts } from '../sub-accounts/remove-sub-accounts.ts';
import { renewToken, subAccountOf } from '../sub-accounts/sub-account-token.ts';
import { revokeTokens } from './revoke-tokens.ts';
import type { userApi } from './user.api.ts';
import type { User } from './user.entity.ts';
import { eventData } from './user-event-data.ts';

type Changes = Omit<z.output<typeof userApi.change.input>, 'user'>;

/** Changes an account that was loaded for change. A broker is nobody's sub-account, and who is none has none. */
export async function changeUser(ctx: Context, user: User, changes: Changes): Promise<void> {
  if (changes.is_broker && (await subAccountOf(ctx, user.id))) {
    throw wrong('is_broker', 'cannot be set for the sub-account of a broker');
  }
  if (changes.is_broker === false) await removeSubAccounts(ctx, user.id);
  ctx.em.assign(user, { ...changes, modified_at: ctx.now() });
  await ctx.em.flush();
  publish(ctx, userChanged, user, eventData(user));
}

/** Whoever knew the old password may hold tokens, so all of them end with it. */
export async function changePassword(
  ctx: Context,
  user: User,
  password_hash: string,
  key: string,
): Promise<void> {
  ctx.em.assign(user, { password_hash, modified_at: ctx.now() });
  const subAccount = await subAccountOf(ctx, user.id);
  await revokeTokens(ctx, user);
  // A disabled account gets it when it works again.
  if (subAccount && !user.disabled_at) renewToken(ctx, subAccount, key);
  publish(ctx, userChanged, user, eventData(user));
}
