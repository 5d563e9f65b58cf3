import { hashOfToken, newAccessToken } from '@crm/auth';
import { noRecord, notFound } from '@crm/contract';
import { accessTokenRevoked } from '@crm/events';
import { implement, publish } from '@crm/service';
import { LockMode } from '@mikro-orm/core';
import { userToActFor } from '../users/user-named.ts';
import { AccessToken } from './access-token.entity.ts';
import { tokenApi, tokenLifeSeconds } from './token.api.ts';

export const tokenHandlers = implement(tokenApi, {
  create: async (ctx, { user: named, scope, name }) => {
    const user = await userToActFor(ctx, named);
    const secret = newAccessToken();
    const token = ctx.em.create(AccessToken, {
      token_hash: hashOfToken(secret),
      user_id: user.id,
      name,
      scope,
      created_at: ctx.now(),
      expires_at: new Date(ctx.now().getTime() + tokenLifeSeconds * 1000),
    });
    await ctx.em.flush();
    return {
      ...shown(token),
      access_token: secret,
      token_type: 'Bearer' as const,
      expires_in: tokenLifeSeconds,
    };
  },

  revoke: async (ctx, { token: named }) => {
    const which = typeof named === 'number' ? { id: named } : { token_hash: hashOfToken(named) };
    const token = await ctx.em.findOne(AccessToken, which, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!token)
      throw typeof named === 'number' ? noRecord(named) : notFound({ message: 'There is no such token.' });
    if (token.revoked_at) return shown(token);
    token.revoked_at = ctx.now();
    await ctx.em.flush();
    const data = { access_token_id: token.id, user_id: token.user_id };
    publish(ctx, accessTokenRevoked, { id: token.id, version: token.version, data });
    return shown(token);
  },
});

function shown({ id, user_id, name, scope, expires_at }: AccessToken) {
  return { id, user_id, name, scope, expires: expires_at.toISOString() };
}
