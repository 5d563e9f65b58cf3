import { wrong } from '@crm/contract';
import { subAccountCreated } from '@crm/events';
import { type Context, flushOr, publish } from '@crm/service';
import { LockMode } from '@mikro-orm/core';
import type { z } from 'zod';
import { User } from '../users/user.entity.ts';
import { brokersOnly, type subAccountApi } from './sub-account.api.ts';
import { SubAccount } from './sub-account.entity.ts';
import { eventData } from './sub-account-event-data.ts';
import { makeToken } from './sub-account-token.ts';

type Draft = z.output<typeof subAccountApi.create.input>;

/**
 * Takes a user in and makes the token a broker uses as that user. A user has one broker; of two brokers who
 * ask at once one is refused.
 */
export async function addSubAccount(ctx: Context, draft: Draft, key: string): Promise<SubAccount> {
  const { em, user, now } = ctx;
  await demandBothAsTheyAre(ctx, draft.user_id);
  const stamps = { created_at: now(), modified_at: now() };
  const subAccount = em.create(SubAccount, { ...draft, ...stamps, generation: 1, broker_user_id: user.id });
  await flushOr(ctx, { sub_accounts_user_id_key: () => wrong('user_id', 'already has a broker') });
  makeToken(ctx, subAccount, key);
  publish(ctx, subAccountCreated, subAccount, eventData(subAccount));
  return subAccount;
}

/**
 * Holds both accounts as they are until the transaction ends. Otherwise a broker who loses the status, or a user
 * who gets it or whose account ends, could come out of it with a sub-account that must not be.
 */
async function demandBothAsTheyAre({ em, user }: Context, userId: number) {
  const both = await em.find(
    User,
    { id: [user.id, userId] },
    { lockMode: LockMode.PESSIMISTIC_READ, orderBy: { id: 1 } },
  );
  const active = both.filter(({ disabled_at }) => !disabled_at);
  const broker = active.find(({ id }) => id === user.id);
  if (!broker?.is_broker) throw brokersOnly();
  const taken = active.find(({ id }) => id === userId);
  if (!taken) throw wrong('user_id', `'${userId}' does not exist`);
  if (taken.is_broker) throw wrong('user_id', 'must be a user who is no broker');
}
