import type { Context } from '@crm/service';
import { LockMode } from '@mikro-orm/core';
import type { z } from 'zod';
import { demandAccepted } from '../actors/demand-accepted.ts';
import { Delegation, isOpen } from '../delegations/delegation.entity.ts';
import { lockPair } from '../delegations/lock-pair.ts';
import { createSubAccount } from './create-sub-account.ts';
import { brokersOnly, notAllowed, type subAccountApi } from './sub-account.api.ts';
import type { SubAccount } from './sub-account.entity.ts';

type Draft = z.output<typeof subAccountApi.create.input>;

/**
 * Adds a user who has allowed the broker to do so. All others are refused with the same error, so that a broker learns
 * nothing about accounts by guessing ids. Throws BadRequest, and NotAuthenticated.
 */
export async function addSubAccount(
  ctx: Context,
  { user_id, ...switches }: Draft,
  key: string,
): Promise<SubAccount> {
  const { broker, user } = await lockPair(ctx, ctx.user.id, user_id);
  if (!broker) throw brokersOnly();
  const delegation = await ctx.em.findOne(
    Delegation,
    { broker_user_id: broker.id, user_id, state: 'pending', given_at: { $ne: null } },
    { lockMode: LockMode.PESSIMISTIC_WRITE },
  );
  if (!user || !delegation || !isOpen(delegation, ctx.now())) throw notAllowed();
  await demandAccepted(ctx);
  return createSubAccount(ctx, { delegation, user_id, switches }, broker.id, key);
}
