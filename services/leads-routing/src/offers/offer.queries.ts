import type { User } from '@crm/auth';
import {
  arrayOf,
  hasRows,
  type Query,
  queryFirst,
  queryRow,
  queryRows,
  readModel,
  sqlOfVisible,
  storedDate,
} from '@crm/data';
import { Binds } from '@crm/query';
import { z } from 'zod';
import { isOpen, isStanding } from '../rollout/open-offer.ts';
import { isWaiting } from '../waiting-alert.queries.ts';
import type { OfferRow } from './complete-offers.ts';
import { OfferView } from './offer.api.ts';
import { visibleOffers } from './offer.policy.ts';
import { offerAlert } from './offer-alert.queries.ts';

/** Null if the offer is no longer open, or if the creator of the lead could not see the contact. */
const contact = `case when leads.contact_owner_user_id is not null and ${isOpen('lead_offers')} 
  then json_build_object('id', leads.contact_id, 'creator', leads.creator_user_id) end`;

/** Records of other services are read as ids, which handlers replace. */
export const offerRows = readModel(OfferView, {
  table: 'lead_offers',
  visible: visibleOffers,
  order: [['notify_at', 1]],
  nested: {
    lead: `(
      select json_build_object('id', id, 'distribution_target', distribution_target, 'contact', ${contact})
      from leads where leads.id = lead_offers.lead_id
    )`,
    user: 'lead_offers.user_id',
    team: 'lead_offers.team_id',
    ...offerAlert,
  },
  special: {
    alert_state: { sql: offerAlert.alert_state },
    alert_reason: { sql: offerAlert.alert_reason },
  },
  hidden: {
    lead_id: { kind: 'integer', sql: 'lead_offers.lead_id' },
    creator_user_id: { kind: 'integer', sql: 'lead_offers.creator_user_id' },
  },
});

const Offers = z.object({ offers: z.array(z.custom<OfferRow>()) });

/** The offers with these ids, whoever the caller is. */
export async function offersOf(query: Query, ids: readonly number[]): Promise<OfferRow[]> {
  const { offers } = await queryRow(
    query,
    Offers,
    `select ${arrayOf(offerRows, 'lead_offers.id = any($1::int[])')} as offers`,
    [ids],
  );
  return offers;
}

/** Returns true if the lead has an offer that the user may see. */
export function seesOfferOf(query: Query, user: User, leadId: number): Promise<boolean> {
  const binds = new Binds();
  const lead = `lead_offers.lead_id = ${binds.add(leadId)}::int`;
  const isVisible = sqlOfVisible(offerRows, user, binds);
  return hasRows(query, `select from lead_offers where ${lead} and ${isVisible} limit 1`, binds.values);
}

const Offered = z.object({
  id: z.int(),
  version: z.int(),
  lead_id: z.int(),
  user_id: z.int(),
  team_id: z.int(),
});
const offeredColumns = Object.keys(Offered.shape).join(', ');

/** Removes the offers of a lead that are not due yet, with their alerts, and returns them. */
export function removePendingOffers(query: Query, leadId: number) {
  return queryRows(
    query,
    Offered,
    `delete from lead_offers where lead_id = $1::int and notify_at > now() returning ${offeredColumns}`,
    [leadId],
  );
}

/** Withdraws the offers of a lead and drops their alerts that have not been sent. */
export async function withdrawOffers(query: Query, leadId: number): Promise<void> {
  await query(
    `update lead_alerts set state = 'Dropped', reason = 'The lead went to its creator.'
     from lead_offers
     where lead_offers.id = lead_alerts.offer_id and lead_offers.lead_id = $1::int
       and ${isWaiting}`,
    [leadId],
  );
  await query('update lead_offers set withdrawn_at = now() where lead_id = $1::int', [leadId]);
}

/** Returns true if anybody can still claim a lead, now or when their turn comes. */
export function hasOpenOffer(query: Query, leadId: number): Promise<boolean> {
  return hasRows(query, `select from lead_offers o where o.lead_id = $1::int and ${isOpen('o')} limit 1`, [
    leadId,
  ]);
}

/** Records that the user has declined a lead, and drops the alerts about it. Returns undefined if it was declined before. */
export async function declineOffer(query: Query, leadId: number, userId: number, at: Date) {
  const offer = await queryFirst(
    query,
    Offered,
    `update lead_offers set declined_at = $3::timestamptz, version = version + 1
     where lead_id = $1::int and user_id = $2::int and declined_at is null
     returning ${offeredColumns}`,
    [leadId, userId, at.toISOString()],
  );
  if (offer) {
    await query(
      `update lead_alerts set state = 'Dropped', reason = 'The offer was declined.'
       where offer_id = $1::int and ${isWaiting}`,
      [offer.id],
    );
  }
  return offer;
}

const MovedOffer = Offered.extend({ notify_at: storedDate });

/**
 * If nobody has a turn now, moves all later turns forward so that the next one is now, and returns the moved offers.
 * Their alerts and the end of the last turn move with them.
 */
export function startNextTurn(query: Query, leadId: number) {
  return queryRows(
    query,
    MovedOffer,
    `with next as (
       select min(notify_at) - now() as wait from lead_offers o
       where lead_id = $1::int and notify_at > now() and ${isOpen('o')}
         and not exists (
           select from lead_offers due
           where due.lead_id = $1::int and ${isStanding('due')})
     ), moved as (
       update lead_offers set notify_at = greatest(notify_at - wait, now()), version = version + 1
       from next where lead_id = $1::int and notify_at > now() and wait is not null
       returning lead_offers.*, wait
     ), alerts as (
       update lead_alerts set due_at = moved.notify_at, next_attempt_at = moved.notify_at
       from moved where offer_id = moved.id and state = 'Waiting'
     ), lead as (
       update leads set runs_out_at = runs_out_at - wait from next where leads.id = $1::int and wait is not null
     )
     select id, version, lead_id, user_id, team_id, notify_at from moved order by notify_at, id`,
    [leadId],
  );
}
