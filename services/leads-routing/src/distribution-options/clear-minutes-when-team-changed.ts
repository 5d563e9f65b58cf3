import { distributionOptionChanged, type teamChanged } from '@crm/events';
import type { Delivery } from '@crm/messaging';
import { deliveryContext, publish } from '@crm/service';
import { LockMode } from '@mikro-orm/core';
import { DistributionOption } from './distribution-option.entity.ts';
import { eventData } from './distribution-option-event-data.ts';

/**
 * Clears the minutes of a team that orders by rank. Options that were changed after the event keep theirs, because the
 * event may come late and the team may order by time again.
 */
export async function clearMinutesWhenTeamChanged(delivery: Delivery<typeof teamChanged>): Promise<void> {
  const { team_id, order_method } = delivery.event.data;
  if (order_method !== 'Rank') return;
  const ctx = deliveryContext(delivery);
  const options = await ctx.em.find(
    DistributionOption,
    { team_id, mins_until_lead_offer: { $gt: 0 }, modified_at: { $lte: ctx.now() } },
    { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { id: 'asc' } },
  );
  for (const option of options) option.fitMinutesTo(order_method);
  await ctx.em.flush();
  for (const option of options) publish(ctx, distributionOptionChanged, option, eventData(option));
}
