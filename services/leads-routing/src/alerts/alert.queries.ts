import type { Query } from '@crm/data';
import { type Leased, lease, lostAnswer, type Settlement } from '@crm/dispatch';

export type AlertKind = 'Assign' | 'Email' | 'Text' | 'Phone';

/** An alert with what it is written from, as it was when the alert was leased. */
export interface DueAlert extends Leased {
  readonly kind: AlertKind;
  /** Identifies the alert to a provider. */
  readonly key: string;
  /** When it was due, in seconds since 1970. */
  readonly due_seconds: number;
  readonly seconds_late: number;
  readonly user_id: number;
  readonly lead_id: number;
  readonly claimed_by_user_id: number | null;
  /** Null when the creator of the lead could not see the contact. */
  readonly contact_id: number | null;
  readonly source: string | null;
  readonly type: string | null;
  readonly listing_status: string | null;
  readonly listing_price: string | null;
  readonly mls_id: string | null;
  readonly street_address: string | null;
  readonly city: string | null;
  readonly state: string | null;
  readonly zipcode: string | null;
  readonly text_body: string | null;
  readonly seconds_old: number;
}

/**
 * Leases due alerts, the longest due first, up to a limit for each kind. No other worker gets them before the lease
 * ends. An assignment comes before the other alerts of its offer.
 */
export async function leaseDue(
  query: Query,
  free: Readonly<Partial<Record<AlertKind, number>>>,
): Promise<DueAlert[]> {
  const rows = await query(
    `with due as (
       select alert.id
       from unnest($1::text[], $2::int[]) as lane (kind, free)
       cross join lateral (
         select a.id from lead_alerts a
         where a.state = 'Waiting' and a.kind = lane.kind and a.next_attempt_at <= now()
           and (a.kind = 'Assign' or not exists (
             select from lead_alerts first
             where first.offer_id = a.offer_id and first.kind = 'Assign' and first.state in ('Waiting', 'Sending')
           ))
         order by a.next_attempt_at, a.id
         limit lane.free
         for update skip locked
       ) alert
     ), leased as (
       update lead_alerts set
         state = 'Sending', lease_until = now() + ${lease}, attempts = attempts + 1, begun_at = null
       from due where lead_alerts.id = due.id
       returning lead_alerts.*
     )
     select leased.id, leased.attempts, leased.kind, leased.key,
       extract(epoch from leased.due_at)::float8 as due_seconds,
       extract(epoch from now() - leased.due_at)::float8 as seconds_late,
       lead_offers.user_id, lead_offers.lead_id, leads.claimed_by_user_id,
       case when leads.contact_owner_user_id is not null then leads.contact_id end as contact_id,
       lead_sources.name as source, leads.type, leads.listing_status, leads.listing_price,
       leads.mls_id #>> '{}' as mls_id, leads.street_address, leads.city, leads.state,
       leads.zipcode #>> '{}' as zipcode, left(leads.text_body, 4000) as text_body,
       extract(epoch from now() - leads.created_at)::float8 as seconds_old
     from leased
     join lead_offers on lead_offers.id = leased.offer_id
     join leads on leads.id = lead_offers.lead_id
     left join lead_sources on lead_sources.id = leads.source_id
     order by leased.due_at, leased.id`,
    [Object.keys(free), Object.values(free)],
  );
  return rows as unknown as DueAlert[];
}

/**
 * The final check: tells whether an alert may be sent, immediately before it is, and drops it if not. It waits for a
 * claim of the lead that is in progress, so either the alert is sent before the claim or not at all. The lease starts
 * over, so that no other worker sends the alert while the provider is slow.
 */
export async function beginSending(
  query: Query,
  { id, attempts, lead_id }: Leased & { readonly lead_id: number },
  sentTo: string | null,
): Promise<boolean> {
  const [row] = await query(
    `with lead as (
       select claimed_by_user_id, claimed_via from leads where id = $3::int for share
     ), verdict as (
       select lead_alerts.id, case
         when claimed_via = 'Auto' and claimed_by_user_id = lead_offers.user_id then null
         when claimed_by_user_id is not null then 'The lead was claimed.'
         when not exists (
           select from distribution_options o
           where o.team_id = lead_offers.team_id and o.user_id = lead_offers.user_id
         ) then 'The offer is void.'
       end as obstacle
       from lead, lead_alerts join lead_offers on lead_offers.id = lead_alerts.offer_id
       where lead_alerts.id = $1::int
     )
     update lead_alerts set
       state = case when obstacle is null then 'Sending' else 'Dropped' end,
       reason = obstacle,
       lease_until = case when obstacle is null then now() + ${lease} end,
       begun_at = case when obstacle is null then now() end,
       sent_to = case when obstacle is null then $4::text end
     from verdict
     where lead_alerts.id = verdict.id and attempts = $2::int and state = 'Sending'
     returning obstacle`,
    [id, attempts, lead_id, sentTo],
  );
  return row !== undefined && row.obstacle === null;
}

/** Stores the outcome of an attempt, unless another worker has leased the alert since. */
export async function settle(query: Query, { id, attempts }: Leased, settlement: Settlement): Promise<void> {
  await query(
    `update lead_alerts set
       state = $3::text, reason = $4::text, lease_until = null,
       handed_over_at = case when $3::text = 'Done' then now() end,
       next_attempt_at = case
         when $3::text = 'Waiting' then now() + make_interval(secs => $5::float8) else next_attempt_at
       end
     where id = $1::int and attempts = $2::int and state = 'Sending'`,
    [
      id,
      attempts,
      settlement.state,
      settlement.state === 'Done' ? null : settlement.reason,
      settlement.state === 'Waiting' ? settlement.seconds : 0,
    ],
  );
}

/**
 * Releases alerts whose lease has expired. A text or call that the provider may have accepted is not sent again, unless
 * the provider recognizes its key. An e-mail is sent again: its reader's mail program recognizes the Message-ID.
 */
export async function releaseAbandoned(query: Query, honoursKeys: boolean): Promise<void> {
  const ambiguous = "kind in ('Text', 'Phone') and begun_at is not null and not $1::boolean";
  await query(
    `update lead_alerts set
       state = case when ${ambiguous} then 'Failed' else 'Waiting' end,
       reason = case when ${ambiguous} then $2::text else reason end,
       lease_until = null
     where id in (
       select id from lead_alerts where state = 'Sending' and lease_until < now()
       order by lease_until limit 500 for update skip locked
     )`,
    [honoursKeys, lostAnswer],
  );
}
