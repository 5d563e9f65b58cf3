import type { userDisabled } from '@crm/events';
import type { Delivery } from '@crm/messaging';
import { deliveryContext } from '@crm/service';
import { withdrawOffersOf } from './disabled-member.queries.ts';

/** A disabled user cannot claim a lead, so nobody waits for the end of that turn. */
export async function withdrawOffersWhenUserDisabled(delivery: Delivery<typeof userDisabled>): Promise<void> {
  const { query, now } = deliveryContext(delivery);
  await withdrawOffersOf(query, delivery.event.data.user_id, now());
}
