import type { SubAccount } from './sub-account.entity.ts';

/** The data of the events about a sub-account: its broker and user, and no secret. */
export function eventData({
  id,
  broker_user_id,
  user_id,
}: Pick<SubAccount, 'id' | 'broker_user_id' | 'user_id'>) {
  return { sub_account_id: id, broker_user_id, user_id };
}
