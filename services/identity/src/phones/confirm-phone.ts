import { userChanged } from '@crm/events';
import type { Context } from '@crm/service';
import { publishFor } from '../publish-for.ts';
import { forgetUnreachable } from '../unreachable-addresses/unreachable-address.queries.ts';
import { eventData } from '../users/user-event-data.ts';
import { lockUser } from '../users/user-named.ts';
import { countFailedAttempt, newestCode } from './phone-code.queries.ts';
import { codeMinutes, codeOf, isCode, maxFailedAttempts } from './phone-code.ts';
import { setPhone } from './phone-number.ts';

export type Verdict = 'confirmed' | 'wrong' | 'expired' | 'used up' | 'nothing to confirm';

/** Why a code was not accepted, as the error of its field. */
export const codeErrors = {
  wrong: 'is wrong',
  expired: `has expired, because codes are valid for ${codeMinutes} minutes; ask for another one`,
  'used up': `is no longer valid after ${maxFailedAttempts} failed attempts; ask for another one`,
} as const;

/**
 * Puts the pending number of a user into use if the code is right. Returns a verdict instead of throwing, because a
 * failed attempt must be committed. Locks the user, so that concurrent attempts are counted one by one.
 */
export async function confirmPhone(
  ctx: Context,
  userId: number,
  code: string,
  secret: string,
): Promise<Verdict> {
  const user = await lockUser(ctx, userId);
  if (!user.pending_phone) return 'nothing to confirm';
  const sent = await newestCode(ctx.query, userId);
  if (!sent || sent.age_seconds >= codeMinutes * 60) return 'expired';
  if (sent.failed_attempts >= maxFailedAttempts) return 'used up';
  if (!isCode(code, codeOf(secret, sent))) {
    await countFailedAttempt(ctx.query, sent.id);
    return sent.failed_attempts + 1 < maxFailedAttempts ? 'wrong' : 'used up';
  }
  const phone = user.pending_phone;
  setPhone(user, phone);
  user.modified_at = ctx.now();
  await ctx.em.flush();
  await forgetUnreachable(ctx.query, userId, phone);
  publishFor(ctx, user.id, userChanged, user, eventData(user));
  return 'confirmed';
}
