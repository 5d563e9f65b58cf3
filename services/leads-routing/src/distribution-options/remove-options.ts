import { distributionOptionRemoved } from '@crm/events';
import { type Delivery, removalOf } from '@crm/messaging';
import { deliveryContext, publish, type TransactionContext } from '@crm/service';
import { LockMode } from '@mikro-orm/core';
import { DistributionOption } from './distribution-option.entity.ts';
import { eventData } from './distribution-option-event-data.ts';
import { type Ended, noteEnded } from './ended-membership.queries.ts';

/**
 * Removes the options of a team, or of one member, after an event, and notes the event for those that a request is still
 * adding. Options that were added later than the event stay, because it may come late and the member may have joined again.
 */
export async function removeOptions(delivery: Delivery, ended: Ended): Promise<void> {
  const ctx = deliveryContext(delivery);
  await noteEnded(ctx, ended);
  await removeOptionsOf(ctx, { ...ended, created_at: { $lte: ctx.now() } });
}

/** Removes the options that match. */
export async function removeOptionsOf(
  ctx: TransactionContext,
  where: Ended & { readonly created_at?: { readonly $lte: Date } },
): Promise<void> {
  const lock = { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { id: 'asc' } } as const;
  for (const option of await ctx.em.find(DistributionOption, where, lock)) {
    ctx.em.remove(option);
    publish(ctx, distributionOptionRemoved, removalOf(option), eventData(option));
  }
}
