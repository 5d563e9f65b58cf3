import { hashOfToken, subAccountToken } from '@crm/auth';
import type { Context } from '@crm/service';
import { LockMode } from '@mikro-orm/core';
import { after } from '../after.ts';
import { AccessToken } from '../tokens/access-token.entity.ts';
import { newGeneration } from '../tokens/generation.ts';
import { tokenLifeSeconds } from '../tokens/token.api.ts';
import { SubAccount } from './sub-account.entity.ts';

/** Locks the sub-account of a user until the transaction ends, whoever the caller is. */
export function lockSubAccountOf({ em }: Context, user_id: number): Promise<SubAccount | null> {
  return em.findOne(SubAccount, { user_id }, { lockMode: LockMode.PESSIMISTIC_WRITE, filters: false });
}

/** Creates the token with which a broker acts as the user. Only its hash is stored. */
export function createToken({ em, now }: Context, subAccount: SubAccount, key: string): void {
  const { id, user_id, generation } = subAccount;
  const token = em.create(AccessToken, {
    token_hash: hashOfToken(subAccountToken(key, id, generation)),
    user_id,
    name: 'sub-account',
    scope: 'write',
    sub_account_id: id,
    created_at: now(),
    expires_at: after(now(), tokenLifeSeconds),
  });
  em.persist(token);
}

/** Creates another token. The previous ones must have been revoked. */
export function renewToken(ctx: Context, subAccount: SubAccount, key: string): void {
  subAccount.generation = newGeneration();
  createToken(ctx, subAccount, key);
}
