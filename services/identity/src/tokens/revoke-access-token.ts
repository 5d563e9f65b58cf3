import { accessTokenRevoked } from '@crm/events';
import type { Context } from '@crm/service';
import { publishFor } from '../publish-for.ts';
import type { AccessToken } from './access-token.entity.ts';

/** Revokes a locked token. Does nothing if it is already revoked. */
export async function revokeAccessToken(ctx: Context, token: AccessToken): Promise<void> {
  if (token.revoked_at) return;
  token.revoked_at = ctx.now();
  await ctx.em.flush();
  const { id, user_id } = token;
  publishFor(ctx, user_id, accessTokenRevoked, token, { access_token_id: id, user_id });
}
