import type { User } from '@crm/auth';
import { Cause } from '@crm/contract';
import { type Query, queryFirst, queryIds, sqlOfVisible } from '@crm/data';
import type { Leased } from '@crm/dispatch';
import { Binds } from '@crm/query';
import { type Context, causeText } from '@crm/service';
import { z } from 'zod';
import { leadRows } from '../leads/lead.queries.ts';
import { isOpen } from '../rollout/open-offer.ts';
import { isWaiting, leadWasClaimed } from '../waiting-alert.queries.ts';

const isDue = 'lead_offers.notify_at <= now()';

const FoundOffer = z.object({
  is_due: z.boolean(),
  /** True if the user has declined the offer or is no longer offered leads of the team, or the lead went to its creator. */
  is_void: z.boolean(),
  claimed_by_user_id: z.int().nullable(),
});

/** A user with the current teams. */
export type Member = Pick<User, 'id' | 'team_ids'>;

/**
 * The user's offer of a lead, if any, and the user who has claimed the lead. Users who have left the team have an offer only of
 * leads that they have claimed.
 */
export function findOffer(query: Query, leadId: number, { id, team_ids }: Member) {
  return queryFirst(
    query,
    FoundOffer,
    `select ${isDue} as is_due, leads.claimed_by_user_id,
       not ${isOpen('lead_offers')} as is_void
     from lead_offers
     join leads on leads.id = lead_offers.lead_id
     where lead_offers.lead_id = $1::int and lead_offers.user_id = $2::int
       and (lead_offers.team_id = any($3::int[]) or leads.claimed_by_user_id = $2::int)`,
    [leadId, id, team_ids],
  );
}

const Claimant = z.object({ claimed_by_user_id: z.int().nullable() });

/** The user who has claimed a lead; null if nobody has, undefined if the caller does not see the lead. */
export async function seenClaimantOf(query: Query, user: User, leadId: number) {
  const binds = new Binds();
  const lead = `leads.id = ${binds.add(leadId)}::int`;
  const visible = sqlOfVisible(leadRows, user, binds);
  const seen = await queryFirst(
    query,
    Claimant,
    `select claimed_by_user_id from leads where ${lead} and ${visible}`,
    binds.values,
  );
  return seen?.claimed_by_user_id;
}

/** A claim that is about to succeed. */
export interface NewClaim {
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

/** Locks the lead until the transaction ends. Concurrent claims wait for it. */
export async function lockLead(query: Query, leadId: number): Promise<void> {
  await query('select from leads where id = $1::int for update', [leadId]);
}

/**
 * Gives a locked lead to a user and returns it. The claim becomes the cause of everything that follows. Throws if the
 * lead is already claimed.
 */
export async function claimUnclaimed(
  ctx: Pick<Context, 'query' | 'requestId' | 'now'>,
  { lead_id, user_id, via }: NewClaim,
) {
  const lead = await queryFirst(
    ctx.query,
    ClaimedLead,
    `update leads set
       status = 'Claimed', claimed_by_user_id = $2::int, assigned_user_id = $2::int,
       claimed_via = $3::text, claimed_at = $4::timestamptz, runs_out_at = null, version = version + 1,
       cause = $5::jsonb
     where id = $1::int and claimed_by_user_id is null
     returning id, version, creator_user_id, contact_id`,
    [lead_id, user_id, via, ctx.now().toISOString(), causeText(ctx)],
  );
  if (!lead) throw new Error(`Lead ${lead_id} has already been claimed.`);
  return lead;
}

/** Drops the waiting alerts of a claimed lead, except those to a member about an automatic assignment. */
export async function dropAlerts(query: Query, { lead_id, user_id, via }: NewClaim): Promise<void> {
  await query(
    `update lead_alerts set state = 'Dropped', reason = '${leadWasClaimed}'
     from lead_offers
     where lead_offers.id = lead_alerts.offer_id and lead_offers.lead_id = $1::int
       and ${isWaiting}
       and not (lead_offers.user_id = $2::int and $3::text = 'Auto' and lead_alerts.kind <> 'Assign')`,
    [lead_id, user_id, via],
  );
}

interface AlertOutcome {
  readonly state: 'Done' | 'Dropped' | 'Waiting';
  readonly reason: string | null;
}

/** Stores the outcome of a leased alert, unless another worker has leased it since. */
export async function settleAlert(
  query: Query,
  { id, attempts }: Leased,
  { state, reason }: AlertOutcome,
): Promise<void> {
  await query(
    `update lead_alerts set state = $2::text, reason = $3::text, lease_until = null,
       handed_over_at = case when $2::text = 'Done' then now() end
     where id = $1::int and attempts = $4::int and state = 'Sending'`,
    [id, state, reason, attempts],
  );
}

const Gift = z.object({
  lead_id: z.int(),
  contact_id: z.int(),
  user_id: z.int(),
  creator_user_id: z.int(),
  /** True if an instance of the previous release has given it under a delegation. */
  is_given: z.boolean(),
  cause: Cause.nullable(),
});

/** A claimed lead whose user has not been given access to its contact for good. */
export type Gift = z.output<typeof Gift>;

/** Excludes contacts that the creator of the lead could not see. */
const isToGive =
  'claimed_by_user_id is not null and contact_owner_user_id is not null and contact_given_at is null';

/**
 * Given by an instance of the previous release under the delegation of a broker, whose end would take it away. With a lead that
 * was submitted as claimed, nothing was given.
 */
const isToKeep = 'delegation_id is not null and contact_given_at is not null and claimed_at > created_at';

export function contactToGive(query: Query, leadId: number): Promise<Gift | undefined> {
  return queryFirst(
    query,
    Gift,
    `select id as lead_id, contact_id, claimed_by_user_id as user_id, creator_user_id,
       contact_given_at is not null as is_given, cause
     from leads
     where (${isToGive} or ${isToKeep}) and id = $1::int`,
    [leadId],
  );
}

/** The ids of claimed leads whose users have not been given access to their contacts: the first ones greater than `after`. */
export function leadsToGive(query: Query, after: number): Promise<number[]> {
  // Two selections, each with its own index.
  const first = (condition: string) =>
    `(select id from leads where ${condition} and id > $1::int order by id limit 100)`;
  return queryIds(query, `${first(isToGive)} union ${first(isToKeep)} order by id limit 100`, [after]);
}

export async function markGiven(query: Query, leadId: number): Promise<void> {
  await query(
    `update leads set contact_given_at = coalesce(contact_given_at, now()), delegation_id = null where id = $1::int`,
    [leadId],
  );
}
