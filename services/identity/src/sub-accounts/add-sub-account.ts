import { wrong } from '@crm/contract';
import { subAccountCreated } from '@crm/events';
import { type Context, flushOr, publish } from '@crm/service';
import { LockMode } from '@mikro-orm/core';
import type { z } from 'zod';
import { User } from '../users/user.entity.ts';
import { brokersOnly, type subAccountApi } from './sub-account.api.ts';
import { SubAccount } from './sub-account.entity.ts';
import { eventData } from './sub-account-event-data.ts';
import { createToken } from './sub-account-token.ts';

type Draft = z.output<typeof subAccountApi.create.input>;

/**
 * Adds a user as a sub-account and creates the token with which the broker acts as that user. A user has one broker: of
 * two brokers who add the same user at once, one is refused.
 */
export async function addSubAccount(ctx: Context, draft: Draft, key: string): Promise<SubAccount> {
  const { em, user, now } = ctx;
  await lockBoth(ctx, draft.user_id);
  const stamps = { created_at: now(), modified_at: now() };
  const subAccount = em.create(SubAccount, { ...draft, ...stamps, generation: 1, broker_user_id: user.id });
  await flushOr(ctx, { sub_accounts_user_id_key: () => wrong('user_id', 'already has a broker') });
  createToken(ctx, subAccount, key);
  publish(ctx, subAccountCreated, subAccount, eventData(subAccount));
  return subAccount;
}

/**
 * Locks both accounts until the transaction ends and checks them. Otherwise a broker who loses the status meanwhile, or
 * a user who becomes a broker or is disabled, could end up in a sub-account that must not exist.
 */
async function lockBoth({ em, user }: Context, userId: number) {
  const both = await em.find(
    User,
    { id: [user.id, userId] },
    { lockMode: LockMode.PESSIMISTIC_READ, orderBy: { id: 1 } },
  );
  const active = both.filter(({ disabled_at }) => !disabled_at);
  const broker = active.find(({ id }) => id === user.id);
  if (!broker?.is_broker) throw brokersOnly();
  const subAccountUser = active.find(({ id }) => id === userId);
  if (!subAccountUser) throw wrong('user_id', `'${userId}' does not exist`);
  if (subAccountUser.is_broker) throw wrong('user_id', 'must not be a broker');
}
