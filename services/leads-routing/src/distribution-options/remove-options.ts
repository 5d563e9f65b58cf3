import { distributionOptionRemoved } from '@crm/events';
import { type Delivery, removalOf } from '@crm/messaging';
import { deliveryContext, publish } from '@crm/service';
import { LockMode } from '@mikro-orm/core';
import { DistributionOption } from './distribution-option.entity.ts';
import { eventData } from './distribution-option-event-data.ts';

/**
 * Removes the options of a team, or of one member, after an event. Options that were added later than the event stay,
 * because it may come late and the member may have joined again.
 */
export async function removeOptions(
  delivery: Delivery,
  owner: { readonly team_id: number; readonly user_id?: number },
): Promise<void> {
  const ctx = deliveryContext(delivery);
  const where = { ...owner, created_at: { $lte: ctx.now() } };
  const lock = { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { id: 'asc' } } as const;
  for (const option of await ctx.em.find(DistributionOption, where, lock)) {
    ctx.em.remove(option);
    publish(ctx, distributionOptionRemoved, removalOf(option), eventData(option));
  }
}
