import { userDisabled, userEnabled } from '@crm/events';
import { type Context, publish } from '@crm/service';
import { Application } from '../applications/application.entity.ts';
import { linkInvitations } from '../delegations/delegation.queries.ts';
import { forgetDevicesOf } from '../sessions/known-device.queries.ts';
import { removeSubAccounts } from '../sub-accounts/remove-sub-accounts.ts';
import { suspendDelegations } from '../sub-accounts/suspend-delegations.ts';
import { endTokensReadBy } from '../tokens/end-sub-account-tokens.ts';
import type { User } from '../users/user.entity.ts';
import { eventData } from '../users/user-event-data.ts';
import { revokeTokens } from './revoke-tokens.ts';

/**
 * Disables an account and, in the same transaction, revokes everything that could act for it. Its applications do not work
 * until it is enabled; returns those that would.
 */
export async function disableAccount(ctx: Context, user: User): Promise<{ id: number; name: string }[]> {
  const which = { owner_user_id: user.id, disabled_at: null };
  const applications = await ctx.em.find(Application, which, { orderBy: { id: 1 } });
  const stopped = applications.map(({ id, name }) => ({ id, name }));
  if (user.disabled_at) return stopped;
  ctx.em.assign(user, { disabled_at: ctx.now(), modified_at: ctx.now() });
  await removeSubAccounts(ctx, user.id);
  await suspendDelegations(ctx, user);
  await revokeTokens(ctx, user);
  await forgetDevicesOf(ctx.query, user.id);
  await endTokensReadBy(
    ctx,
    stopped.map(({ id }) => id),
  );
  publish(ctx, userDisabled, user, eventData(user));
  return stopped;
}

/** Revoked tokens stay revoked, and a broker acts for the user again only with a new consent. */
export async function enableAccount(ctx: Context, user: User): Promise<void> {
  if (!user.disabled_at) return;
  ctx.em.assign(user, { disabled_at: null, modified_at: ctx.now() });
  await ctx.em.flush();
  await linkInvitations(ctx.query, user.id);
  publish(ctx, userEnabled, user, eventData(user));
}
