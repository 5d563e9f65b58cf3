import { type Query, queryRows } from '@crm/data';
import { z } from 'zod';

const Ended = z.object({
  id: z.int(),
  version: z.int(),
  broker_user_id: z.int(),
  user_id: z.int().nullable(),
});

/** Ends all delegations to a broker that have not ended, which may be thousands, and returns them in the order of their ids. */
export function endAllTo(query: Query, brokerId: number, at: Date) {
  return queryRows(
    query,
    Ended,
    `with open as (
       select id from delegations where broker_user_id = $1 and state <> 'ended' order by id for update
     ), ended as (
       update delegations set state = 'ended', ended_at = $2, modified_at = $2, version = version + 1
       where id in (select id from open) returning id, version, broker_user_id, user_id
     )
     select * from ended order by id`,
    [brokerId, at],
  );
}

/** Creates a pending delegation, or locks the one that has not ended: it could end before the next statement. */
export async function ensureDelegation(
  query: Query,
  brokerId: number,
  userId: number,
  at: Date,
): Promise<void> {
  await query(
    `insert into delegations (broker_user_id, user_id, state, created_at, modified_at)
     values ($1, $2, 'pending', $3, $3) on conflict (broker_user_id, user_id) where state <> 'ended'
     do update set modified_at = excluded.modified_at`,
    [brokerId, userId, at],
  );
}

/** Creates an invitation unless the broker already has one for the address, or a delegation of its user that has not ended. */
export async function ensureInvitation(
  query: Query,
  brokerId: number,
  email: string,
  at: Date,
): Promise<void> {
  await query(
    `insert into delegations (broker_user_id, user_id, invited_email, state, created_at, modified_at)
     values (
       $1, (select id from users where lower(email) = $2 and not is_broker and disabled_at is null), $2,
       'pending', $3, $3
     ) on conflict do nothing`,
    [brokerId, email, at],
  );
}

/** Shows a user, who may have had no account or a disabled one before, the open invitations to the address. */
export async function linkInvitations(query: Query, userId: number): Promise<void> {
  await query(
    `update delegations d set user_id = u.id, version = d.version + 1 from users u
     where u.id = $1 and not u.is_broker and u.disabled_at is null
     and d.invited_email = lower(u.email) and d.user_id is null and d.state = 'pending' and d.expires_at > now()
     and not exists (
       select from delegations o where o.broker_user_id = d.broker_user_id and o.user_id = u.id and o.state <> 'ended'
     )`,
    [userId],
  );
}

/** How many invitations of a broker are open. Of several requests at once, each counts what those before it have added. */
export async function countInvitations(query: Query, brokerId: number): Promise<number> {
  await query("select pg_advisory_xact_lock(hashtext('invitations of a broker'), $1::int)", [brokerId]);
  const [row] = await query(
    `select count(*)::int as count from delegations
     where broker_user_id = $1 and state = 'pending' and invited_email is not null and expires_at > now()`,
    [brokerId],
  );
  return Number(row?.count);
}
