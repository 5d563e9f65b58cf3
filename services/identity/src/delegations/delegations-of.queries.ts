import type { BrokerSwitches } from '@crm/contract';
import { type Query, queryRows, storedDate } from '@crm/data';
import { z } from 'zod';
import { isActiveBroker, nameOf } from '../users/user.queries.ts';

const Shown = z.object({
  id: z.int(),
  version: z.int(),
  state: z.enum(['pending', 'active']),
  name: z.string(),
  email: z.string(),
  switches: z.custom<BrokerSwitches>().nullable(),
  sub_account_id: z.int().nullable(),
  given_at: storedDate.nullable(),
  given_by: z.string().nullable(),
  expires_at: storedDate.nullable(),
  last_used_at: storedDate.nullable(),
  token_expires_at: storedDate.nullable(),
});

/** A delegation that has not ended, as shown on the pages of its user and its broker. */
export type ShownDelegation = Readonly<z.output<typeof Shown>>;

const columns = `d.id, d.version, d.state, d.switches, d.sub_account_id, d.given_at, d.given_by, d.expires_at,
  (select max(t.last_used_at) from access_tokens t where t.sub_account_id = d.sub_account_id) as last_used_at,
  (
    select max(t.expires_at) from access_tokens t
    where t.sub_account_id = d.sub_account_id and t.revoked_at is null and d.state = 'active'
  ) as token_expires_at`;

const isCurrent = `(d.state = 'active' or d.state = 'pending' and (d.expires_at is null or d.expires_at > now()))`;

/** The delegations of a user: to brokers who act for the user, are allowed to, or have asked to. */
export function delegationsOfUser(query: Query, userId: number): Promise<ShownDelegation[]> {
  return queryRows(
    query,
    Shown,
    `select ${columns}, ${nameOf('b')} as name, b.email
     from delegations d join users b on b.id = d.broker_user_id and ${isActiveBroker('b')}
     where d.user_id = $1 and ${isCurrent} order by d.id`,
    [userId],
  );
}

/**
 * The delegations of a broker: from users for whom the broker acts, is allowed to, or has asked to. For a user who was
 * only asked, the address is shown as the broker wrote it, so that it does not reveal if it has an account.
 */
export function delegationsOfBroker(query: Query, brokerId: number): Promise<ShownDelegation[]> {
  const isInvitation = 'd.given_at is null and d.sub_account_id is null';
  return queryRows(
    query,
    Shown,
    `select ${columns},
       case when ${isInvitation} then d.invited_email else ${nameOf('u')} end as name,
       case when ${isInvitation} then d.invited_email else u.email end as email
     from delegations d left join users u on u.id = d.user_id
     where d.broker_user_id = $1 and ${isCurrent} order by d.id`,
    [brokerId],
  );
}
