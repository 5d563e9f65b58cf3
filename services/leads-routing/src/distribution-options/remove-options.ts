import { distributionOptionRemoved } from '@crm/events';
import { type Delivery, publish, removalOf } from '@crm/messaging';
import { LockMode } from '@mikro-orm/core';
import { DistributionOption } from './distribution-option.entity.ts';
import { eventData } from './distribution-option-event-data.ts';

/**
 * Removes the options of a team, or of one member, because of an event. Options that were added after the event stay:
 * it may come late, and the member may have joined again.
 */
export async function removeOptions(
  { em, event: { time, requestid } }: Delivery<unknown>,
  owner: { readonly team_id: number; readonly user_id?: number },
): Promise<void> {
  const at = new Date(time);
  const where = { ...owner, created_at: { $lte: at } };
  const lock = { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { id: 'asc' } } as const;
  for (const option of await em.find(DistributionOption, where, lock)) {
    em.remove(option);
    const origin = { em, actor: 'system', requestId: requestid, now: () => at };
    publish(origin, distributionOptionRemoved, removalOf(option), eventData(option));
  }
}
