import { toE164 } from '@crm/delivery';
import type { Context } from '@crm/service';
import type { User } from '../users/user.entity.ts';
import { lockUser } from '../users/user-named.ts';
import { nothingToConfirm, tooManyCodes } from './phone.api.ts';
import { addCode, codeAges, lockNumber } from './phone-code.queries.ts';
import { secondsToWait } from './phone-code.ts';
import { readPhone, setPhone } from './phone-number.ts';

/**
 * Changes the number of a locked user. A number that must be confirmed becomes the pending one; its code is sent after
 * the commit. Throws BadRequest, and TooManyRequests before anything has changed.
 */
export async function requestPhone(
  { query }: Context,
  user: User,
  text: string | null,
  mustConfirm: boolean,
): Promise<void> {
  const phone = readPhone(text);
  if (phone !== null && phone === user.pending_phone && mustConfirm) return;
  const isKnown = phone === null || phone === toE164(user.phone ?? '');
  if (isKnown || !mustConfirm) return setPhone(user, phone);
  await createCode(query, user.id, phone);
  user.pending_phone = phone;
}

/** Creates another code for the pending number of a user. Throws Conflict and TooManyRequests. */
export async function requestCode(ctx: Context, userId: number): Promise<void> {
  const { pending_phone } = await lockUser(ctx, userId);
  if (pending_phone === null || pending_phone === undefined) throw nothingToConfirm();
  await createCode(ctx.query, userId, pending_phone);
}

async function createCode(query: Context['query'], userId: number, phone: string): Promise<void> {
  await lockNumber(query, phone);
  const seconds = secondsToWait(await codeAges(query, userId, phone));
  if (seconds > 0) throw tooManyCodes({ retryAfter: seconds });
  await addCode(query, userId, phone);
}
