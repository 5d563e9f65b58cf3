import { queryIn } from '@crm/data';
import type { delegationEnded } from '@crm/events';
import type { Delivery } from '@crm/messaging';
import { endDelegation } from '../delegations/delegation.queries.ts';

/** Has a worker undo what a broker shared and assigned on behalf of a user who no longer allows the broker to act. */
export async function undoWhenDelegationEnded({
  em,
  event,
}: Delivery<typeof delegationEnded>): Promise<void> {
  const { delegation_id } = event.data;
  await endDelegation(queryIn(em), delegation_id, { at: new Date(event.time), requestId: event.requestid });
}
