import { randomBytes } from 'node:crypto';
import { hashOfToken } from '@crm/auth';
import type { Context } from '@crm/service';
import { LockMode } from '@mikro-orm/core';
import type { Application } from '../applications/application.entity.ts';
import { AccessToken } from '../tokens/access-token.entity.ts';
import { tokenLifeSeconds } from '../tokens/token.api.ts';
import { after } from './after.ts';
import { databaseTime } from './database-time.queries.ts';
import { addAccessToken, addRefreshToken } from './issue-tokens.ts';
import { liveFamily } from './live-family.ts';
import { invalidGrant, invalidRequest, OAuthError } from './oauth-error.ts';
import type { Parameters } from './parameters.ts';
import { RefreshToken } from './refresh-token.entity.ts';
import { revokeFamily } from './revoke-family.ts';
import { covers, readScope, type Scope, scopesIn } from './scope.ts';
import { successorsOf } from './successors.ts';
import { type Issued, tokenAnswer } from './token-answer.ts';

/** A client that refreshes twice at once, or lost the answer, gets the same pair for as long. */
const graceSeconds = 60;

/**
 * Exchanges a refresh token for a new pair. The token is locked, so that all who present it at once get the
 * same pair; presented after the grace, it shows that somebody stole it or the pair, and all that came of the
 * approval ends (RFC 9700 §4.14.2).
 */
export async function refresh(
  ctx: Context,
  application: Application,
  { refresh_token: secret, scope }: Parameters['values'],
): Promise<Issued> {
  if (secret === undefined) throw invalidRequest('refresh_token is missing');
  const which = { token_hash: hashOfToken(secret) };
  const token = await ctx.em.findOne(RefreshToken, which, { lockMode: LockMode.PESSIMISTIC_WRITE });
  const family = token && (await liveFamily(ctx, application, token.family_id));
  if (!token || !family) throw invalidGrant();
  const at = await databaseTime(ctx.query);
  if (token.used_at) return answerAgain(ctx, token, secret, at);
  if (token.expires_at <= at) throw invalidGrant();
  const scopes = narrowed(scopesIn(family.scope), scope);
  const salt = randomBytes(32).toString('hex');
  token.used_at = at;
  token.successor_salt = salt;
  const pair = successorsOf(secret, salt);
  const life = { name: application.name, at, seconds: tokenLifeSeconds };
  const issued = addAccessToken(ctx, family, { secret: pair.access_token, scopes, ...life });
  addRefreshToken(ctx, family, { secret: pair.refresh_token, parent: token, at });
  await ctx.em.flush();
  return tokenAnswer(pair, issued, at);
}

async function answerAgain(ctx: Context, token: RefreshToken, secret: string, at: Date): Promise<Issued> {
  const { used_at, successor_salt, family_id } = token;
  if (used_at && successor_salt && at < after(used_at, graceSeconds)) {
    const pair = successorsOf(secret, successor_salt);
    const token_hash = hashOfToken(pair.access_token);
    return tokenAnswer(pair, await ctx.em.findOneOrFail(AccessToken, { token_hash }), at);
  }
  await revokeFamily(ctx, family_id, 'refresh token used twice');
  throw invalidGrant();
}

/** The new access token may do less than was granted; the refresh token keeps it all (RFC 6749 §6). */
function narrowed(granted: readonly Scope[], wanted: string | undefined): readonly Scope[] {
  const scopes = wanted === undefined ? granted : readScope(wanted);
  if (scopes && covers(granted, scopes)) return scopes;
  throw new OAuthError('invalid_scope', 'The scope must be within what was granted');
}
