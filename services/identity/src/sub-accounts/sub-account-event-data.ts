import type { SubAccount } from './sub-account.entity.ts';

/** What events contain of a sub-account: who belongs to whom, and no secret. */
export function eventData({ id, broker_user_id, user_id }: SubAccount) {
  return { sub_account_id: id, broker_user_id, user_id };
}
