import type { Delegation } from './delegation.entity.ts';

/** The data of the events about a delegation. They are published only for delegations with a known user. */
export function eventData({
  id,
  broker_user_id,
  user_id,
}: Pick<Delegation, 'id' | 'broker_user_id'> & { user_id: number }) {
  return { delegation_id: id, broker_user_id, user_id };
}
