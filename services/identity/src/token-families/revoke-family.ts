import { tokenFamilyRevoked } from '@crm/events';
import type { Context } from '@crm/service';
import { LockMode } from '@mikro-orm/core';
import type { z } from 'zod';
import { publishFor } from '../publish-for.ts';
import { TokenFamily } from './token-family.entity.ts';

type Cause = z.input<typeof tokenFamilyRevoked.data>['cause'];

/** Revokes the code and all tokens of one approval; at most once. */
export async function revokeFamily(ctx: Context, id: number, cause: Cause): Promise<void> {
  const lockMode = LockMode.PESSIMISTIC_WRITE;
  const family = await ctx.em.findOneOrFail(TokenFamily, { id }, { lockMode });
  if (family.revoked_at) return;
  family.revoked_at = ctx.now();
  await ctx.em.flush();
  const { user_id, application_id } = family;
  const data = { token_family_id: id, user_id, application_id, cause };
  publishFor(ctx, user_id, tokenFamilyRevoked, family, data);
}

/** The same for all approvals of a user, or of a user for one application. */
export async function revokeFamilies(
  ctx: Context,
  whose: Pick<TokenFamily, 'user_id'> & Partial<Pick<TokenFamily, 'application_id'>>,
): Promise<void> {
  const families = await ctx.em.find(
    TokenFamily,
    { ...whose, revoked_at: null },
    { fields: ['id'], orderBy: { id: 1 } },
  );
  for (const { id } of families) await revokeFamily(ctx, id, 'request');
}
