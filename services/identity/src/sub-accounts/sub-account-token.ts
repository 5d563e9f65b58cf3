import { hashOfToken, subAccountToken } from '@crm/auth';
import type { Context } from '@crm/service';
import { LockMode } from '@mikro-orm/core';
import { AccessToken } from '../tokens/access-token.entity.ts';
import { SubAccount } from './sub-account.entity.ts';

/** The sub-account of a user, locked until the transaction ends. */
export function lockSubAccountOf({ em }: Context, user_id: number): Promise<SubAccount | null> {
  return em.findOne(SubAccount, { user_id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
}

/** A broker is shown the token as long as the sub-account exists, and nobody could renew it. */
const never = new Date('9999-12-31T23:59:59.999Z');

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
    expires_at: never,
  });
  em.persist(token);
}

/** Replaces a token that was revoked, so that the broker has a valid one. */
export function renewToken(ctx: Context, subAccount: SubAccount, key: string): void {
  subAccount.generation += 1;
  createToken(ctx, subAccount, key);
}
