import type { WebAnswer } from '@crm/contract';
import type { Context } from '@crm/service';
import { LockMode } from '@mikro-orm/core';
import type { Application } from '../applications/application.entity.ts';
import { accessTokenOf, refreshTokenOf } from '../token-families/find-token.ts';
import { revokeFamily } from '../token-families/revoke-family.ts';
import { revokeAccessToken } from '../tokens/revoke-access-token.ts';
import { invalidRequest, jsonAnswer } from './oauth-error.ts';
import type { Parameters } from './parameters.ts';

/**
 * Revokes a token of the application (RFC 7009): an access token alone, a refresh token together with everything issued
 * for the same approval. The response is the same for a token that is unknown or belongs to another application, which
 * stays unchanged.
 */
export async function revoke(
  ctx: Context,
  application: Application,
  { token: secret }: Parameters['values'],
): Promise<WebAnswer> {
  if (secret === undefined) throw invalidRequest('token is missing');
  const refreshing = await refreshTokenOf(ctx, application, secret);
  if (refreshing) await revokeFamily(ctx, refreshing.family.id, 'request');
  else {
    const token = await accessTokenOf(ctx, application, secret, LockMode.PESSIMISTIC_WRITE);
    if (token) await revokeAccessToken(ctx, token);
  }
  // Clients ignore the content (RFC 7009 §2.2), but some accept only JSON.
  return jsonAnswer(200, {});
}
