import { hashOfToken } from '@crm/auth';
import type { Context } from '@crm/service';
import { LockMode } from '@mikro-orm/core';
import type { Application } from '../applications/application.entity.ts';
import { AccessToken } from '../tokens/access-token.entity.ts';
import { RefreshToken } from './refresh-token.entity.ts';
import { TokenFamily } from './token-family.entity.ts';

/** An access token, if it belongs to the application. */
export async function accessTokenOf(
  { em }: Context,
  { id: application_id }: Application,
  secret: string,
  lockMode: LockMode = LockMode.NONE,
) {
  return em.findOne(AccessToken, { token_hash: hashOfToken(secret), application_id }, { lockMode });
}

/** A refresh token with its family, if it belongs to the application. */
export async function refreshTokenOf({ em }: Context, { id: application_id }: Application, secret: string) {
  const token = await em.findOne(RefreshToken, { token_hash: hashOfToken(secret) });
  const family = token && (await em.findOne(TokenFamily, { id: token.family_id, application_id }));
  return family ? { token, family } : undefined;
}
