import { hasRows, type Query, queryIds } from '@crm/data';
import { isOpen, isStanding } from '../rollout/open-offer.ts';

/** A SQL condition: the last turn of an unclaimed lead has ended, or all of its offers are void or declined. */
const foundNobody = `runs_out_at is not null and (runs_out_at <= now()
  or not exists (select from lead_offers o where o.lead_id = leads.id and ${isOpen('o')}))`;

/** The ids of leads that nobody claimed in time or can claim any longer: the first ones greater than `after`. */
export function leadsThatFoundNobody(query: Query, after: number): Promise<number[]> {
  return queryIds(query, `select id from leads where ${foundNobody} and id > $1::int order by id limit 100`, [
    after,
  ]);
}

/**
 * The ids of unclaimed leads in which a turn has begun that is void by now, and nobody else has a turn yet: the first
 * ones greater than `after`. A lead whose first turn is still to come is not one of them.
 */
export function leadsWithoutTurn(query: Query, after: number): Promise<number[]> {
  const some = (condition: string) =>
    `exists (select from lead_offers o where o.lead_id = leads.id and ${condition})`;
  return queryIds(
    query,
    `select id from leads where runs_out_at is not null and not ${some(isStanding('o'))}
       and ${some('o.notify_at <= now()')} and ${some(`o.notify_at > now() and ${isOpen('o')}`)}
       and id > $1::int order by id limit 100`,
    [after],
  );
}

/**
 * Runs after a restoration. A lead that nobody could claim any longer may have been returned before it, so its last
 * turn ends now and the creator is not alerted again.
 */
export const endLastTurns = `update leads set runs_out_at = now() where ${foundNobody} and runs_out_at > now()`;

export function hasFoundNobody(query: Query, leadId: number): Promise<boolean> {
  return hasRows(query, `select from leads where ${foundNobody} and id = $1::int`, [leadId]);
}
