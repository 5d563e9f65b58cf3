import { noRecord } from '@crm/contract';
import type { Context } from '@crm/service';
import { LockMode } from '@mikro-orm/core';
import type { z } from 'zod';
import { AccessToken } from '../tokens/access-token.entity.ts';
import { endTokensReadWith } from '../tokens/end-sub-account-tokens.ts';
import { createPersonalToken } from '../tokens/personal-token.ts';
import { revokeAccessToken } from '../tokens/revoke-access-token.ts';
import type { IssuedToken } from '../tokens/token.api.ts';
import { lockActiveUser } from '../users/user-named.ts';
import { Application } from './application.entity.ts';

interface Draft {
  readonly application_id: number;
  readonly name: string;
  readonly scope: 'read' | 'write';
}

/**
 * Creates a token with which a user's own application acts for this user without consent; none for a disabled
 * application, because it would work as soon as the operator enables it. Throws NotFound.
 */
export async function createOwnToken(
  ctx: Context,
  ownerId: number,
  { application_id, name, scope }: Draft,
): Promise<z.output<typeof IssuedToken> | undefined> {
  const user = await lockActiveUser(ctx, ownerId);
  const own = { id: application_id, owner_user_id: ownerId, removed_at: null };
  const application = await ctx.em.findOne(Application, own);
  if (!application) throw noRecord(application_id);
  if (application.disabled_at) return undefined;
  return createPersonalToken(ctx, user, { name, scope, applicationId: application_id });
}

/** Revokes one token of a user. Throws NotFound, also for a token of another user. */
export async function revokeOwnToken(ctx: Context, userId: number, tokenId: number): Promise<void> {
  const which = { id: tokenId, user_id: userId, sub_account_id: null };
  const token = await ctx.em.findOne(AccessToken, which, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!token) throw noRecord(tokenId);
  await revokeAccessToken(ctx, token);
  await endTokensReadWith(ctx, token);
}
