import { queryIn } from '@crm/data';
import type { delegationEnded } from '@crm/events';
import type { Delivery } from '@crm/messaging';
import { endDelegation } from '../delegations/delegation.queries.ts';

/**
 * Has a worker undo what a broker shared and assigned on behalf of a user who no longer allows the broker to act. It stays if the
 * account of the user was disabled: the user has probably left, and nobody else sees the contacts.
 */
export async function undoWhenDelegationEnded({
  em,
  event,
}: Delivery<typeof delegationEnded>): Promise<void> {
  const { delegation_id, is_user_disabled: isKept = false } = event.data;
  const end = { at: new Date(event.time), requestId: event.requestid, isKept };
  await endDelegation(queryIn(em), delegation_id, end);
}
