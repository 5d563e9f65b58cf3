import { tokenFamilyRevoked } from '@crm/events';
import type { Context } from '@crm/service';
import { LockMode } from '@mikro-orm/core';
import type { z } from 'zod';
import { publishFor } from '../publish-for.ts';
import { endTokensReadWith } from '../tokens/end-sub-account-tokens.ts';
import { TokenFamily } from './token-family.entity.ts';

const lockMode = LockMode.PESSIMISTIC_WRITE;

type Cause = z.input<typeof tokenFamilyRevoked.data>['cause'];

/** Revokes the code and all tokens of one approval. Does nothing if they are already revoked. */
export async function revokeFamily(ctx: Context, id: number, cause: Cause): Promise<void> {
  const family = await ctx.em.findOneOrFail(TokenFamily, { id }, { lockMode });
  if (family.revoked_at) return;
  await revoke(ctx, [family], cause);
  // A client that ends its own tokens has not lost them.
  if (cause !== 'request') await endTokensReadWith(ctx, family);
}

/** Revokes the codes and all tokens of all approvals of a user, or of a user for one application. */
export async function revokeFamilies(
  ctx: Context,
  whose: Pick<TokenFamily, 'user_id'> & Partial<Pick<TokenFamily, 'application_id'>>,
): Promise<void> {
  const valid = { ...whose, revoked_at: null };
  await revoke(ctx, await ctx.em.find(TokenFamily, valid, { lockMode, orderBy: { id: 1 } }), 'request');
}

async function revoke(ctx: Context, families: readonly TokenFamily[], cause: Cause): Promise<void> {
  for (const family of families) family.revoked_at = ctx.now();
  await ctx.em.flush();
  for (const family of families) {
    const { id, user_id, application_id } = family;
    const data = { token_family_id: id, user_id, application_id, cause };
    publishFor(ctx, user_id, tokenFamilyRevoked, family, data);
  }
}
