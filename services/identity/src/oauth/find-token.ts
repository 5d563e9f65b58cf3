import { hashOfToken } from '@crm/auth';
import type { Context } from '@crm/service';
import { LockMode } from '@mikro-orm/core';
import type { Application } from '../applications/application.entity.ts';
import { AccessToken } from '../tokens/access-token.entity.ts';
import { RefreshToken } from './refresh-token.entity.ts';
import { TokenFamily } from './token-family.entity.ts';

/** A token that an application names, for change, when it is one of its own; what kind it is need not be said. */
export async function accessTokenOf({ em }: Context, { id: application_id }: Application, secret: string) {
  const lockMode = LockMode.PESSIMISTIC_WRITE;
  return em.findOne(AccessToken, { token_hash: hashOfToken(secret), application_id }, { lockMode });
}

export async function refreshTokenOf({ em }: Context, { id: application_id }: Application, secret: string) {
  const token = await em.findOne(RefreshToken, { token_hash: hashOfToken(secret) });
  const family = token && (await em.findOne(TokenFamily, { id: token.family_id, application_id }));
  return family ? { token, family } : undefined;
}
