import { hashOfToken } from '@crm/auth';
import { noRecord, notFound } from '@crm/contract';
import { implement } from '@crm/service';
import { LockMode } from '@mikro-orm/core';
import { lockActiveUser } from '../users/user-named.ts';
import { AccessToken } from './access-token.entity.ts';
import { createPersonalToken, viewOf } from './personal-token.ts';
import { revokeAccessToken } from './revoke-access-token.ts';
import { tokenApi } from './token.api.ts';

export const tokenHandlers = implement(tokenApi, {
  create: async (ctx, { user, ...draft }) => createPersonalToken(ctx, await lockActiveUser(ctx, user), draft),

  revoke: async (ctx, { token: named }) => {
    const which = typeof named === 'number' ? { id: named } : { token_hash: hashOfToken(named) };
    const token = await ctx.em.findOne(AccessToken, which, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!token)
      throw typeof named === 'number' ? noRecord(named) : notFound({ message: 'This token does not exist.' });
    await revokeAccessToken(ctx, token);
    return viewOf(token);
  },
});
