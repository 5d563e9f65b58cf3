import { userChanged } from '@crm/events';
import type { Context } from '@crm/service';
import type { z } from 'zod';
import { requestPhone } from '../phones/request-phone.ts';
import { publishFor } from '../publish-for.ts';
import { eventData } from '../users/user-event-data.ts';
import { lockUser } from '../users/user-named.ts';
import type { meApi } from './me.api.ts';

type Changes = z.output<typeof meApi.patch.input>;

/** Changes the fields that users may change in their own account. Throws BadRequest and TooManyRequests. */
export async function changeProfile(
  ctx: Context,
  userId: number,
  { phone, ...changes }: Changes,
  mustConfirmPhone: boolean,
): Promise<void> {
  const user = await lockUser(ctx, userId);
  await ctx.checkLocked?.(userId);
  if (phone !== undefined) await requestPhone(ctx, user, phone, mustConfirmPhone);
  ctx.em.assign(user, { ...changes, modified_at: ctx.now() });
  await ctx.em.flush();
  publishFor(ctx, user.id, userChanged, user, eventData(user));
}
