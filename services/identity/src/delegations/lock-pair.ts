import type { Context } from '@crm/service';
import { LockMode } from '@mikro-orm/core';
import { User } from '../users/user.entity.ts';

interface Pair {
  /** Undefined unless the account is active and a broker's. */
  readonly broker: User | undefined;
  /** Undefined unless the account is active and no broker's. */
  readonly user: User | undefined;
}

/**
 * Locks the accounts of a broker and a user until the transaction ends. Otherwise a broker who loses the status
 * meanwhile, or a user who becomes a broker or is disabled, could end up in a delegation that must not exist.
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
