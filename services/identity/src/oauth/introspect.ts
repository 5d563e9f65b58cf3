import type { WebAnswer } from '@crm/contract';
import type { Context } from '@crm/service';
import type { Application } from '../applications/application.entity.ts';
import { databaseTime } from '../database-time.queries.ts';
import { accessTokenOf, refreshTokenOf } from '../token-families/find-token.ts';
import { liveFamily } from '../token-families/live-family.ts';
import { invalidRequest, jsonAnswer } from './oauth-error.ts';
import type { Parameters } from './parameters.ts';
import { invalidClient } from './read-credentials.ts';

/** Describes a token of the application (RFC 7662), without the reason why it is no longer valid. */
export async function introspect(
  ctx: Context,
  application: Application,
  { token: secret }: Parameters['values'],
  issuer: string,
): Promise<WebAnswer> {
  // Refused for public applications: anyone can send their id, and could then try out tokens.
  if (application.is_public) throw invalidClient('body');
  if (secret === undefined) throw invalidRequest('token is missing');
  const active =
    (await activeAccessToken(ctx, application, secret)) ??
    (await activeRefreshToken(ctx, application, secret));
  if (!active) return jsonAnswer(200, { active: false });
  const { client_id } = application;
  const { scope, user_id, created_at, expires_at, ...more } = active;
  const [iat, exp] = [created_at, expires_at].map((moment) => Math.floor(moment.getTime() / 1000));
  const facts = { scope, client_id, sub: String(user_id), ...more, iat, exp, iss: issuer };
  return jsonAnswer(200, { active: true, ...facts });
}

interface Active {
  readonly scope: string;
  readonly user_id: number;
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly token_type?: 'Bearer';
}

async function activeAccessToken(
  ctx: Context,
  application: Application,
  secret: string,
): Promise<Active | undefined> {
  const token = await accessTokenOf(ctx, application, secret);
  if (!token || token.revoked_at || token.expires_at <= (await databaseTime(ctx.query))) return undefined;
  if (token.family_id && !(await liveFamily(ctx, application, token.family_id))) return undefined;
  const { scope, user_id, created_at, expires_at } = token;
  return { scope, user_id, created_at, expires_at, token_type: 'Bearer' };
}

async function activeRefreshToken(
  ctx: Context,
  application: Application,
  secret: string,
): Promise<Active | undefined> {
  const found = await refreshTokenOf(ctx, application, secret);
  if (!found || found.token.used_at || found.token.expires_at <= (await databaseTime(ctx.query))) {
    return undefined;
  }
  const family = await liveFamily(ctx, application, found.family.id);
  if (!family) return undefined;
  const { created_at, expires_at } = found.token;
  return { scope: family.scope, user_id: family.user_id, created_at, expires_at };
}
