import { hashOfToken } from '@crm/auth';
import { auditChange } from '@crm/messaging';
import type { Context } from '@crm/service';
import { after } from '../after.ts';
import { AccessToken } from '../tokens/access-token.entity.ts';
import type { Scope } from '../tokens/scope.ts';
import { RefreshToken } from './refresh-token.entity.ts';
import type { Pair } from './successors.ts';
import { TokenFamily } from './token-family.entity.ts';

/** A refresh token expires after 180 days without use, its family after a year. */
const refreshIdleSeconds = 180 * 86_400;
const familyLifeSeconds = 365 * 86_400;

/** A pair of secrets, the stored access token, and the time at which they were issued. */
export interface IssuedTokens {
  readonly pair: Pair;
  readonly token: AccessToken;
  readonly at: Date;
}

interface Approval {
  readonly applicationId: number;
  readonly userId: number;
  readonly scopes: readonly Scope[];
  readonly at: Date;
}

/** Starts the family of everything that will be issued for one approval. */
export async function openFamily(
  { em }: Context,
  { applicationId, userId, scopes, at }: Approval,
): Promise<TokenFamily> {
  const family = em.create(TokenFamily, {
    application_id: applicationId,
    user_id: userId,
    scope: scopes.join(' '),
    created_at: at,
    ends_at: after(at, familyLifeSeconds),
  });
  await em.flush();
  return family;
}

interface NewAccessToken {
  readonly secret: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly at: Date;
  readonly seconds: number;
}

export function addAccessToken({ em }: Context, family: TokenFamily, token: NewAccessToken): AccessToken {
  const { secret, name, scopes, at, seconds } = token;
  const added = em.create(AccessToken, {
    token_hash: hashOfToken(secret),
    user_id: family.user_id,
    application_id: family.application_id,
    family_id: family.id,
    name,
    scope: scopes.join(' '),
    created_at: at,
    expires_at: after(at, seconds),
  });
  em.persist(added);
  auditChange(em, () => ({ type: 'token-family', id: family.id, userId: family.user_id }));
  return added;
}

interface NewRefreshToken {
  readonly secret: string;
  readonly parent: RefreshToken | undefined;
  readonly at: Date;
}

export function addRefreshToken({ em }: Context, family: TokenFamily, token: NewRefreshToken): void {
  const added = em.create(RefreshToken, {
    token_hash: hashOfToken(token.secret),
    family_id: family.id,
    parent_id: token.parent?.id ?? null,
    created_at: token.at,
    expires_at: earlier(after(token.at, refreshIdleSeconds), family.ends_at),
  });
  em.persist(added);
}

const earlier = (a: Date, b: Date): Date => new Date(Math.min(a.getTime(), b.getTime()));
