import type { Context } from '@crm/service';
import { LockMode } from '@mikro-orm/core';
import { User } from '../users/user.entity.ts';

interface Pair {
  /** Undefined unless the account is active and belongs to a broker. */
  readonly broker: User | undefined;
  /** Undefined unless the account is active and does not belong to a broker. */
  readonly user: User | undefined;
}

/**
 * Locks the accounts of a broker and a user until the transaction ends. Otherwise a delegation that must not exist
 * could result if meanwhile the broker loses that status, or the user becomes a broker or is disabled.
 */
export async function lockPair({ em }: Context, brokerId: number, userId: number): Promise<Pair> {
  const both = await em.find(
    User,
    { id: [brokerId, userId] },
    { lockMode: LockMode.PESSIMISTIC_READ, orderBy: { id: 1 } },
  );
  const active = both.filter(({ disabled_at }) => !disabled_at);
  return {
    broker: active.find(({ id, is_broker }) => id === brokerId && is_broker),
    user: active.find(({ id, is_broker }) => id === userId && !is_broker),
  };
}
