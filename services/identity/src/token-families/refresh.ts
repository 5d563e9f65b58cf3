import { randomBytes } from 'node:crypto';
import { hashOfToken } from '@crm/auth';
import { type Context, networkOf } from '@crm/service';
import { LockMode } from '@mikro-orm/core';
import { after } from '../after.ts';
import type { Application } from '../applications/application.entity.ts';
import { databaseTime } from '../database-time.queries.ts';
import { type Origin, recordEvent } from '../security-events/security-event.queries.ts';
import { AccessToken } from '../tokens/access-token.entity.ts';
import { covers, readScope, type Scope, scopesIn } from '../tokens/scope.ts';
import { tokenLifeSeconds } from '../tokens/token.api.ts';
import { addAccessToken, addRefreshToken, type IssuedTokens } from './issue-tokens.ts';
import { liveFamily } from './live-family.ts';
import { RefreshToken } from './refresh-token.entity.ts';
import { revokeFamily } from './revoke-family.ts';
import { successorsOf } from './successors.ts';
import type { TokenFamily } from './token-family.entity.ts';

/** For this long and this often, a client that refreshes twice at once or lost the response gets the same pair again. */
const graceSeconds = 60;
const maxReplays = 2;

interface Refreshing {
  readonly secret: string;
  /** The scope of the new access token; by default, everything that was granted. */
  readonly scope: string | undefined;
  readonly origin: Origin;
}

/**
 * Exchanges a refresh token for a new pair. The token is locked, so that concurrent requests get the same pair. A use
 * after the grace period or from another network indicates that the token or the pair was stolen, and revokes the
 * family (RFC 9700 §4.14.2).
 */
export async function refresh(
  ctx: Context,
  application: Application,
  { secret, scope, origin }: Refreshing,
): Promise<IssuedTokens | 'invalid grant' | 'invalid scope'> {
  const which = { token_hash: hashOfToken(secret) };
  const token = await ctx.em.findOne(RefreshToken, which, { lockMode: LockMode.PESSIMISTIC_WRITE });
  const family = token && (await liveFamily(ctx, application, token.family_id));
  if (!token || !family) return 'invalid grant';
  const at = await databaseTime(ctx.query);
  if (token.used_at) return issuedBefore(ctx, { token, family, secret, origin, at });
  if (token.expires_at <= at) return 'invalid grant';
  const scopes = narrowed(scopesIn(family.scope), scope);
  if (!scopes) return 'invalid scope';
  const salt = randomBytes(32).toString('hex');
  token.used_at = at;
  token.used_network = networkOf(origin.address);
  token.successor_salt = salt;
  const pair = successorsOf(secret, salt);
  const life = { name: application.name, at, seconds: tokenLifeSeconds };
  const issued = addAccessToken(ctx, family, { secret: pair.access_token, scopes, ...life });
  addRefreshToken(ctx, family, { secret: pair.refresh_token, parent: token, at });
  await ctx.em.flush();
  return { pair, token: issued, at };
}

interface Repeated extends Pick<Refreshing, 'secret' | 'origin'> {
  readonly token: RefreshToken;
  readonly family: TokenFamily;
  readonly at: Date;
}

/** The pair of a token that was used before, for a client that refreshes twice at once or lost the response. */
async function issuedBefore(ctx: Context, repeated: Repeated): Promise<IssuedTokens | 'invalid grant'> {
  const { token, family, secret, origin, at } = repeated;
  const { used_at, used_network, successor_salt } = token;
  const event = { userId: family.user_id, applicationId: family.application_id, origin };
  // No network is stored for tokens that were used by an older version.
  const isTheirs = !used_network || used_network === networkOf(origin.address);
  if (!isTheirs || !used_at || !successor_salt || at >= after(used_at, graceSeconds)) {
    await recordEvent(ctx.query, { ...event, kind: 'refresh token misused' });
    await revokeFamily(ctx, family.id, 'refresh token used twice');
    return 'invalid grant';
  }
  const pair = successorsOf(secret, successor_salt);
  const issued = await ctx.em.findOneOrFail(AccessToken, { token_hash: hashOfToken(pair.access_token) });
  if (issued.revoked_at) return 'invalid grant';
  // A client that repeats itself without end is refused and must not lose its access; one event says so.
  if (token.replays > maxReplays) return 'invalid grant';
  token.replays += 1;
  await ctx.em.flush();
  await recordEvent(ctx.query, { ...event, kind: 'refresh token repeated' });
  if (token.replays > maxReplays) return 'invalid grant';
  return { pair, token: issued, at };
}

/** The new access token may do less than was granted; the refresh token keeps all of it (RFC 6749 §6). */
function narrowed(granted: readonly Scope[], wanted: string | undefined): readonly Scope[] | undefined {
  const scopes = wanted === undefined ? granted : readScope(wanted);
  return scopes && covers(granted, scopes) ? scopes : undefined;
}
