import { invalidField } from '@crm/contract';
import { userChanged } from '@crm/events';
import { type Context, publish } from '@crm/service';
import type { z } from 'zod';
import { linkInvitations } from '../delegations/delegation.queries.ts';
import { forgetResets } from '../password-resets/password-reset.queries.ts';
import { readPhone, setPhone } from '../phones/phone-number.ts';
import { noteEvent } from '../security-events/note-event.ts';
import type { Origin } from '../security-events/security-event.queries.ts';
import { forgetDevicesOf } from '../sessions/known-device.queries.ts';
import { removeSubAccounts } from '../sub-accounts/remove-sub-accounts.ts';
import { lockSubAccountOf } from '../sub-accounts/sub-account-token.ts';
import { suspendDelegations } from '../sub-accounts/suspend-delegations.ts';
import type { User } from '../users/user.entity.ts';
import { eventData } from '../users/user-event-data.ts';
import type { accountApi } from './account.api.ts';
import { revokeTokens } from './revoke-tokens.ts';

type Changes = Omit<z.output<typeof accountApi.change.input>, 'user'>;

/** Changes a locked account. Ensures that a broker is never a sub-account, and that only brokers have sub-accounts. */
export async function changeAccount(ctx: Context, user: User, { phone, ...changes }: Changes): Promise<void> {
  if (changes.is_broker && (await lockSubAccountOf(ctx, user.id))) {
    throw invalidField('is_broker', 'cannot be set for the sub-account of a broker');
  }
  if (changes.is_broker === false) await removeSubAccounts(ctx, user.id);
  if (phone !== undefined) setPhone(user, readPhone(phone));
  ctx.em.assign(user, { ...changes, modified_at: ctx.now() });
  await ctx.em.flush();
  if (changes.is_broker === false) await linkInvitations(ctx.query, user.id);
  publish(ctx, userChanged, user, eventData(user));
}

interface NewPassword {
  readonly password_hash: string;
  readonly kind: 'password changed' | 'password reset';
  /** Undefined if the operator sets it. */
  readonly origin: Origin | undefined;
}

/** Also ends all sessions, tokens and consents to brokers, because somebody else may have known the old password. */
export async function changePassword(
  ctx: Context,
  user: User,
  { password_hash, kind, origin }: NewPassword,
): Promise<void> {
  ctx.em.assign(user, { password_hash, modified_at: ctx.now() });
  await noteEvent(ctx.query, { userId: user.id, kind, origin });
  await forgetResets(ctx.query, user.id);
  await forgetDevicesOf(ctx.query, user.id);
  await suspendDelegations(ctx, user);
  await revokeTokens(ctx, user);
  publish(ctx, userChanged, user, eventData(user));
}
