import type { Query } from '@crm/data';
import { requestTime } from '../request-time.ts';

/** A SQL condition: somebody may still claim the lead of an offer. */
const isUnclaimed = 'lead_id in (select id from leads where runs_out_at is not null)';

/**
 * Makes the offers of a user void in all leads that nobody has claimed, except for offers made after an event, and notes the user
 * for `withdrawLateOffers`.
 */
export async function withdrawOffersOf(query: Query, userId: number, eventAt: Date): Promise<void> {
  const values = [userId, eventAt.toISOString()];
  await query(
    `insert into disabled_members (user_id, disabled_at) values ($1::int, $2::timestamptz)
     on conflict (user_id) do update set disabled_at = greatest(disabled_members.disabled_at, excluded.disabled_at)`,
    values,
  );
  await query(
    `update lead_offers set withdrawn_at = now(), version = version + 1
     where user_id = $1::int and withdrawn_at is null and created_at <= $2::timestamptz and ${isUnclaimed}`,
    values,
  );
}

/** Makes the offers void that requests have made to users who had just been disabled, once these requests have ended. */
export async function withdrawLateOffers(query: Query): Promise<void> {
  await query(
    `with noted as (
       delete from disabled_members where disabled_at <= now() - ${requestTime} returning user_id, disabled_at
     )
     update lead_offers o set withdrawn_at = now(), version = version + 1 from noted
     where o.user_id = noted.user_id and o.withdrawn_at is null and o.created_at <= noted.disabled_at + ${requestTime}
       and ${isUnclaimed}`,
    [],
  );
}

/** When these requests have ended. */
export const lateOffers = `select disabled_at + ${requestTime} as due_at from disabled_members`;
