import type { Query } from '@crm/data';

/** How a contact is shared with a user, by whom, and under which delegation, if any. */
export interface Sharing {
  readonly contact_id: number;
  readonly user_id: number;
  readonly shared_by_user_id: number;
  readonly delegation_id: number | null;
}

/**
 * Notes that a locked contact was shared again with a user. A share of another delegation outlives that one, and without a
 * delegation it outlives all.
 */
export async function noteRepeatedShare(
  query: Query,
  { contact_id, user_id, shared_by_user_id, delegation_id }: Sharing,
): Promise<void> {
  if (delegation_id === null) {
    await query('update contact_shares set delegation_id = null where contact_id = $1 and user_id = $2', [
      contact_id,
      user_id,
    ]);
    return;
  }
  await query(
    `insert into repeated_shares (share_id, contact_id, delegation_id, shared_by_user_id)
     select id, contact_id, $3::int, $4 from contact_shares
     where contact_id = $1 and user_id = $2 and delegation_id <> $3
     on conflict do nothing`,
    [contact_id, user_id, delegation_id, shared_by_user_id],
  );
}

/**
 * Transfers the shares of a delegation of locked contacts to the next delegations that made the same shares and have not ended.
 * An instance of the previous release did not remove the repeated shares of a delegation when it ended.
 */
export async function leaveShares(
  query: Query,
  delegationId: number,
  contactIds: readonly number[],
): Promise<void> {
  const given = [delegationId, contactIds];
  await query('delete from repeated_shares where delegation_id = $1 and contact_id = any($2::int[])', given);
  await query(
    `with next as (
       delete from repeated_shares where id in (
         select min(r.id) from contact_shares s join repeated_shares r on r.share_id = s.id
           join delegations d on d.id = r.delegation_id and d.ended_at is null
         where s.delegation_id = $1 and s.contact_id = any($2::int[])
         group by s.id)
       returning share_id, delegation_id, shared_by_user_id)
     update contact_shares s set delegation_id = next.delegation_id, shared_by_user_id = next.shared_by_user_id
     from next where s.id = next.share_id`,
    given,
  );
}
