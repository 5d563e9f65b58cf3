import { hashOfToken } from '@crm/auth';
import { noRecord, notFound } from '@crm/contract';
import { implement } from '@crm/service';
import { LockMode } from '@mikro-orm/core';
import { noteEvent } from '../security-events/note-event.ts';
import { revokeFamily } from '../token-families/revoke-family.ts';
import { AccessToken } from '../tokens/access-token.entity.ts';
import { endTokensReadWith } from '../tokens/end-sub-account-tokens.ts';
import { createPersonalToken, viewOf } from '../tokens/personal-token.ts';
import { revokeAccessToken } from '../tokens/revoke-access-token.ts';
import { tokenApi } from '../tokens/token.api.ts';
import { lockActiveUser } from '../users/user-named.ts';

export const tokenHandlers = implement(tokenApi, {
  create: async (ctx, { user, ...draft }) => {
    const token = await createPersonalToken(ctx, await lockActiveUser(ctx, user), draft);
    const event = { kind: 'token created', origin: undefined, accessTokenId: token.id } as const;
    await noteEvent(ctx.query, { ...event, userId: token.user_id });
    return token;
  },

  revoke: async (ctx, { token: named, discard }) => {
    const which = typeof named === 'number' ? { id: named } : { token_hash: hashOfToken(named) };
    const token = await ctx.em.findOne(AccessToken, which, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!token)
      throw typeof named === 'number' ? noRecord(named) : notFound({ message: 'This token does not exist.' });
    await revokeAccessToken(ctx, token);
    // With a token of an application, its refresh token may have leaked as well.
    if (!discard && token.family_id) await revokeFamily(ctx, token.family_id, 'request');
    if (!discard) await endTokensReadWith(ctx, token);
    const event = { kind: 'token revoked', origin: undefined, accessTokenId: token.id } as const;
    await noteEvent(ctx.query, { ...event, userId: token.user_id });
    return viewOf(token);
  },
});
