import { type Query, queryRows } from '@crm/data';
import type { Leased } from '@crm/dispatch';
import { z } from 'zod';

const isDue = 'lead_offers.notify_at <= now()';

interface OfferState {
  readonly isDue: boolean;
  /** Whether the user has been removed from the team's distribution since. */
  readonly isVoid: boolean;
  readonly claimed_by_user_id: number | null;
}

const OfferRow = z.object({
  is_due: z.boolean(),
  is_void: z.boolean(),
  claimed_by_user_id: z.int().nullable(),
});

/** The user's offer of a lead, if any, and who has claimed the lead. */
export async function findOffer(
  query: Query,
  leadId: number,
  userId: number,
): Promise<OfferState | undefined> {
  const [offer] = await queryRows(
    query,
    OfferRow,
    `select ${isDue} as is_due, o.id is null as is_void, leads.claimed_by_user_id
     from lead_offers
     join leads on leads.id = lead_offers.lead_id
     left join distribution_options o on o.team_id = lead_offers.team_id and o.user_id = lead_offers.user_id
     where lead_offers.lead_id = $1::int and lead_offers.user_id = $2::int`,
    [leadId, userId],
  );
  return (
    offer && {
      isDue: offer.is_due,
      isVoid: offer.is_void,
      claimed_by_user_id: offer.claimed_by_user_id,
    }
  );
}

interface Attempt {
  readonly lead_id: number;
  readonly user_id: number;
  readonly via: string;
}

const ClaimedLead = z.object({
  id: z.int(),
  version: z.int(),
  creator_user_id: z.int(),
  contact_id: z.int(),
});

/**
 * Gives a lead to a user and returns it, or returns nothing if it is already claimed. Of several attempts at once, the
 * first locks the row; the others wait for it, check again, and find the lead claimed.
 */
export async function claimUnclaimed(query: Query, { lead_id, user_id, via }: Attempt, at: Date) {
  const [lead] = await queryRows(
    query,
    ClaimedLead,
    `update leads set
       status = 'Claimed', claimed_by_user_id = $2::int, assigned_user_id = $2::int,
       claimed_via = $3::text, claimed_at = $4::timestamptz, version = version + 1
     where id = $1::int and claimed_by_user_id is null
     returning id, version, creator_user_id, contact_id`,
    [lead_id, user_id, via, at.toISOString()],
  );
  return lead;
}

/** The user who has claimed a lead. Throws if nobody has. */
export async function claimantOf(query: Query, leadId: number): Promise<number> {
  const [lead] = await queryRows(
    query,
    z.object({ claimed_by_user_id: z.int() }),
    'select claimed_by_user_id from leads where id = $1::int',
    [leadId],
  );
  if (!lead) throw new Error(`Lead ${leadId} does not exist.`);
  return lead.claimed_by_user_id;
}

const RemovedOffer = z.object({
  id: z.int(),
  version: z.int(),
  lead_id: z.int(),
  user_id: z.int(),
  team_id: z.int(),
});

/** Removes the offers of a lead that are not due yet, with their alerts, and returns them. */
export function removePendingOffers(query: Query, leadId: number) {
  return queryRows(
    query,
    RemovedOffer,
    `delete from lead_offers where lead_id = $1::int and not (${isDue})
     returning id, version, lead_id, user_id, team_id`,
    [leadId],
  );
}

/** Drops the waiting alerts of a claimed lead, except those that tell a member about an automatic assignment. */
export async function dropAlerts(query: Query, { lead_id, user_id, via }: Attempt): Promise<void> {
  await query(
    `update lead_alerts set state = 'Dropped', reason = 'The lead was claimed.'
     from lead_offers
     where lead_offers.id = lead_alerts.offer_id and lead_offers.lead_id = $1::int
       and lead_alerts.state = 'Waiting'
       and not (lead_offers.user_id = $2::int and $3::text = 'Auto' and lead_alerts.kind <> 'Assign')`,
    [lead_id, user_id, via],
  );
}

interface Settled {
  readonly state: 'Done' | 'Dropped' | 'Waiting';
  readonly reason: string | null;
}

/** Stores the outcome of a leased alert, unless another worker has leased it since. */
export async function settleAlert(
  query: Query,
  { id, attempts }: Leased,
  { state, reason }: Settled,
): Promise<void> {
  await query(
    `update lead_alerts set state = $2::text, reason = $3::text, lease_until = null,
       handed_over_at = case when $2::text = 'Done' then now() end
     where id = $1::int and attempts = $4::int and state = 'Sending'`,
    [id, state, reason, attempts],
  );
}
