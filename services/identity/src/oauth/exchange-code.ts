import { hashOfToken, newAccessToken, newSecret } from '@crm/auth';
import type { Context } from '@crm/service';
import { LockMode } from '@mikro-orm/core';
import type { Application } from '../applications/application.entity.ts';
import { databaseTime } from '../database-time.queries.ts';
import { addAccessToken, addRefreshToken } from '../token-families/issue-tokens.ts';
import { liveFamily } from '../token-families/live-family.ts';
import { revokeFamily } from '../token-families/revoke-family.ts';
import { scopesIn } from '../tokens/scope.ts';
import { tokenLifeSeconds } from '../tokens/token.api.ts';
import { AuthorizationCode } from './authorization-code.entity.ts';
import { invalidGrant, invalidRequest } from './oauth-error.ts';
import type { Parameters } from './parameters.ts';
import { provesKey } from './pkce.ts';
import { type Issued, tokenAnswer } from './token-answer.ts';

/**
 * Exchanges a code for the first pair of tokens. The code is locked, so that only one of several concurrent requests
 * succeeds. A second use indicates that it was stolen, and revokes everything issued for it (RFC 6749 §4.1.2).
 */
export async function exchangeCode(
  ctx: Context,
  application: Application,
  { code: secret, redirect_uri, code_verifier }: Parameters['values'],
): Promise<Issued> {
  if (secret === undefined) throw invalidRequest('code is missing');
  const which = { code_hash: hashOfToken(secret) };
  const code = await ctx.em.findOne(AuthorizationCode, which, { lockMode: LockMode.PESSIMISTIC_WRITE });
  const family = code && (await liveFamily(ctx, application, code.family_id));
  if (!code || !family) throw invalidGrant();
  if (code.used_at) {
    await revokeFamily(ctx, family.id, 'code used twice');
    throw invalidGrant();
  }
  const at = await databaseTime(ctx.query);
  const isTheirs = code.redirect_uri === redirect_uri && provesKey(code.code_challenge, code_verifier);
  if (!isTheirs || code.expires_at <= at) throw invalidGrant();
  code.used_at = at;
  const pair = { access_token: newAccessToken(), refresh_token: newSecret('refreshToken') };
  const life = { name: application.name, at, seconds: tokenLifeSeconds };
  const token = addAccessToken(ctx, family, {
    secret: pair.access_token,
    scopes: scopesIn(family.scope),
    ...life,
  });
  addRefreshToken(ctx, family, { secret: pair.refresh_token, parent: undefined, at });
  await ctx.em.flush();
  return tokenAnswer({ pair, token, at });
}
