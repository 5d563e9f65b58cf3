import type { Delegation } from './delegation.entity.ts';

/** What events contain of a delegation. Only those of a known user are published. */
export function eventData({ id, broker_user_id, user_id }: Delegation & { user_id: number }) {
  return { delegation_id: id, broker_user_id, user_id };
}
