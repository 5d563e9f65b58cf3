import type { WebAnswer } from '@crm/contract';
import type { Context } from '@crm/service';
import { LockMode } from '@mikro-orm/core';
import type { Application } from '../applications/application.entity.ts';
import { revokeAccessToken } from '../tokens/revoke-access-token.ts';
import { accessTokenOf, refreshTokenOf } from './find-token.ts';
import { invalidRequest, jsonAnswer } from './oauth-error.ts';
import type { Parameters } from './parameters.ts';
import { revokeFamily } from './revoke-family.ts';

/**
 * Ends a token of the application (RFC 7009): an access token alone, a refresh token with all that came of the
 * same approval. A token that is unknown or somebody else's gets the same answer, and nothing happens to it.
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
  // Clients ignore what is in it (RFC 7009 §2.2), but some read nothing but JSON.
  return jsonAnswer(200, {});
}
