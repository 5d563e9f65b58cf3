import { hashOfToken, newAccessToken } from '@crm/auth';
import { auditChange } from '@crm/messaging';
import type { Context } from '@crm/service';
import type { z } from 'zod';
import { after } from '../after.ts';
import type { User } from '../users/user.entity.ts';
import { AccessToken } from './access-token.entity.ts';
import { type IssuedToken, type TokenView, tokenLifeSeconds } from './token.api.ts';

interface Draft {
  readonly name: string;
  readonly scope: 'read' | 'write';
  /** The user's own application that the token is for. It is removed with the application. */
  readonly applicationId?: number;
}

/** Creates a token for a user. The secret is only in the response. */
export async function createPersonalToken(
  ctx: Context,
  user: User,
  { name, scope, applicationId }: Draft,
): Promise<z.output<typeof IssuedToken>> {
  const secret = newAccessToken();
  const token = ctx.em.create(AccessToken, {
    token_hash: hashOfToken(secret),
    user_id: user.id,
    application_id: applicationId ?? null,
    name,
    scope,
    created_at: ctx.now(),
    expires_at: after(ctx.now(), tokenLifeSeconds),
  });
  await ctx.em.flush();
  auditChange(ctx.em, () => ({ type: 'access-token', id: token.id, userId: user.id }));
  return { ...viewOf(token), access_token: secret, token_type: 'Bearer', expires_in: tokenLifeSeconds };
}

export function viewOf({ id, user_id, name, scope, expires_at }: AccessToken): z.output<typeof TokenView> {
  return { id, user_id, name, scope, expires: expires_at.toISOString() };
}
