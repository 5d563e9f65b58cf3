import type { Query } from '@crm/data';

const isDue = 'lead_offers.notify_at <= now()';

interface OfferHeld {
  readonly isDue: boolean;
  /** Whether the user is out of the team's distribution since. */
  readonly isVoid: boolean;
  readonly claimed_by_user_id: number | null;
}

/** The user's offer of a lead, if there is one, with who has claimed the lead by now. */
export async function offerHeld(
  query: Query,
  leadId: number,
  userId: number,
): Promise<OfferHeld | undefined> {
  const [row] = await query(
    `select ${isDue} as is_due, o.id is null as is_void, leads.claimed_by_user_id
     from lead_offers
     join leads on leads.id = lead_offers.lead_id
     left join distribution_options o on o.team_id = lead_offers.team_id and o.user_id = lead_offers.user_id
     where lead_offers.lead_id = $1::int and lead_offers.user_id = $2::int`,
    [leadId, userId],
  );
  if (!row) return undefined;
  const { is_due, is_void, claimed_by_user_id } = row;
  return {
    isDue: is_due === true,
    isVoid: is_void === true,
    claimed_by_user_id: claimed_by_user_id === null ? null : Number(claimed_by_user_id),
  };
}

interface Attempt {
  readonly lead_id: number;
  readonly user_id: number;
  readonly via: string;
}

/**
 * Gives a lead to a user unless somebody has it, and answers nothing if so. Of any number of these at once the first
 * holds the row; the others wait for it, look again, and find the lead claimed.
 */
export async function takeLead(query: Query, { lead_id, user_id, via }: Attempt, at: Date) {
  const [row] = await query(
    `update leads set
       status = 'Claimed', claimed_by_user_id = $2::int, assigned_user_id = $2::int,
       claimed_via = $3::text, claimed_at = $4::timestamptz, version = version + 1
     where id = $1::int and claimed_by_user_id is null
     returning version, creator_user_id, contact_id`,
    [lead_id, user_id, via, at.toISOString()],
  );
  return (
    row && {
      id: lead_id,
      version: Number(row.version),
      creator_user_id: Number(row.creator_user_id),
      contact_id: Number(row.contact_id),
    }
  );
}

/** Of a claimed lead. */
export async function claimantOf(query: Query, leadId: number): Promise<number> {
  const [row] = await query('select claimed_by_user_id from leads where id = $1::int', [leadId]);
  return Number(row?.claimed_by_user_id);
}

/** Removes the offers of a lead whose time has not come, with their alerts, and answers what they were. */
export async function dropPendingOffers(query: Query, leadId: number) {
  const rows = await query(
    `delete from lead_offers where lead_id = $1::int and not (${isDue})
     returning id, version, lead_id, user_id, team_id`,
    [leadId],
  );
  return rows as readonly {
    id: number;
    version: number;
    lead_id: number;
    user_id: number;
    team_id: number;
  }[];
}

/** Calls off what has not begun to be sent of a lead that is claimed. Who was given it unasked is still told of it. */
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

/** Ends the turn of an alert that a worker holds. */
export async function settleAlert(query: Query, id: number, { state, reason }: Settled): Promise<void> {
  await query(
    `update lead_alerts set state = $2::text, reason = $3::text, lease_until = null,
       handed_over_at = case when $2::text = 'Done' then now() end
     where id = $1::int and state = 'Sending'`,
    [id, state, reason],
  );
}
