import type { Query } from '@crm/data';

/** Creates a pending delegation unless there is one that has not ended; of two at once, the second finds the first. */
export async function ensureDelegation(
  query: Query,
  brokerId: number,
  userId: number,
  at: Date,
): Promise<void> {
  await query(
    `insert into delegations (broker_user_id, user_id, state, created_at, modified_at)
     values ($1, $2, 'pending', $3, $3) on conflict (broker_user_id, user_id) where state <> 'ended' do nothing`,
    [brokerId, userId, at],
  );
}
