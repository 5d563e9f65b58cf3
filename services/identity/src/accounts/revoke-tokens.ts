import { accessTokenRevoked } from '@crm/events';
import { type Context, publish } from '@crm/service';
import { LockMode } from '@mikro-orm/core';
import { removeCalendarFeed } from '../calendar-feeds/own-calendar-feed.ts';
import { removeConsents } from '../consents/withdraw-consent.ts';
import { revokeFamilies } from '../token-families/revoke-family.ts';
import { AccessToken } from '../tokens/access-token.entity.ts';
import { endTokensReadWith } from '../tokens/end-sub-account-tokens.ts';
import type { User } from '../users/user.entity.ts';

/**
 * Revokes all access tokens of a user, all token families and consents that could issue new ones, the tokens of the user's
 * sub-accounts and the calendar link. The user must be locked, so that none is created meanwhile.
 */
export async function revokeTokens(ctx: Context, { id: user_id }: User): Promise<void> {
  await removeConsents(ctx, user_id);
  // A family may have had thousands, which end with it.
  const valid = { user_id, family_id: null, revoked_at: null, expires_at: { $gt: ctx.now() } };
  const tokens = await ctx.em.find(AccessToken, valid, {
    lockMode: LockMode.PESSIMISTIC_WRITE,
    orderBy: { id: 1 },
  });
  await revokeFamilies(ctx, { user_id });
  await removeCalendarFeed(ctx, user_id);
  await endTokensReadWith(ctx, { user_id, scope: 'write' });
  for (const token of tokens) token.revoked_at = ctx.now();
  await ctx.em.flush();
  for (const token of tokens) {
    publish(ctx, accessTokenRevoked, token, { access_token_id: token.id, user_id });
  }
}
