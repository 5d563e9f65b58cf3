import { accessTokenRevoked } from '@crm/events';
import { type Context, publish } from '@crm/service';
import { LockMode } from '@mikro-orm/core';
import { endCalendarFeed } from '../calendar-feeds/own-calendar-feed.ts';
import { revokeFamilies } from '../oauth/revoke-family.ts';
import { AccessToken } from '../tokens/access-token.entity.ts';
import type { User } from './user.entity.ts';

/**
 * Ends every access token of a user who was loaded for change, so that none can be made meanwhile, every
 * approval that could give new ones, and the link of the calendar.
 */
export async function revokeTokens(ctx: Context, { id: user_id }: User): Promise<void> {
  const held = { user_id, revoked_at: null };
  const tokens = await ctx.em.find(AccessToken, held, {
    lockMode: LockMode.PESSIMISTIC_WRITE,
    orderBy: { id: 1 },
  });
  await revokeFamilies(ctx, { user_id });
  await endCalendarFeed(ctx, user_id);
  for (const token of tokens) token.revoked_at = ctx.now();
  await ctx.em.flush();
  for (const token of tokens) {
    publish(ctx, accessTokenRevoked, token, { access_token_id: token.id, user_id });
  }
}
