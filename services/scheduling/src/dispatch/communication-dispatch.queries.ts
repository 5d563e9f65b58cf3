import type { Query } from '@crm/data';
import { type Leased, lease } from '@crm/dispatch';
import type { CommunicationType } from '../communications/communication-type.api.ts';

/** A message that is later than this is not sent at the wrong hour, but gets another day. */
export const tooLate = "interval '1 hour'";

/** What a communication is made of, as it was when it was taken. */
export interface DueCommunication extends Leased {
  readonly type: CommunicationType;
  /** By which a provider knows the communication again. */
  readonly key: string;
  readonly seconds_late: number;
  readonly contact_id: number;
  readonly send_from_user_id: number;
  readonly template_subject: string | null;
  readonly body: string | null;
}

/** How many communications of a type a sender may have taken. */
export interface Share {
  readonly type: CommunicationType;
  readonly send_from_user_id: number;
  readonly most: number;
}

const isDue = (table: string) =>
  `${table}.dispatch_state = 'Scheduled' and ${table}.next_attempt_at <= now()
     and ${table}.send_at > now() - ${tooLate}`;

/** Those who have something to be sent now, by type. */
export async function sendersDue(query: Query): Promise<Omit<Share, 'most'>[]> {
  const rows = await query(
    `select distinct c.type, c.send_from_user_id from communications c
     where ${isDue('c')} and c.send_at <= now() order by c.send_from_user_id`,
    [],
  );
  return rows as unknown as Omit<Share, 'most'>[];
}

/** Takes of each share the communications that are due, the longest due first. Nobody else gets them before the lease ends. */
export async function leaseDue(query: Query, shares: readonly Share[]): Promise<DueCommunication[]> {
  const rows = await query(
    `with due as (
       select picked.id
       from jsonb_to_recordset($1::jsonb) share (type text, send_from_user_id integer, most integer)
       cross join lateral (
         select c.id from communications c
         where c.type = share.type and c.send_from_user_id = share.send_from_user_id and ${isDue('c')}
         order by c.next_attempt_at, c.id
         limit share.most
         for update skip locked
       ) picked
     )
     update communications c set
       dispatch_state = 'Sending', lease_until = now() + ${lease}, attempts = attempts + 1, begun_at = null
     -- As an array, because of a join it would be thought so large that the whole table is read.
     where c.id = any(array(select id from due))
     returning c.id, c.attempts, c.type, c.key, c.contact_id, c.send_from_user_id, c.template_subject, c.body,
       extract(epoch from now() - c.send_at)::float8 as seconds_late`,
    [JSON.stringify(shares)],
  );
  return rows as unknown as DueCommunication[];
}

export interface Beginning extends Leased {
  /** The address or number that it goes to. */
  readonly sent_to: string;
}

/** Whether the contact, the campaign, or the contact in it has come to its end. */
const isOver = `exists (
  select from enrolment_ends e
  where (e.what, e.id) in (('campaign contact', c.campaign_contact_id), ('campaign', c.campaign_id), ('contact', c.contact_id))
)`;

/**
 * Says which of these may be handed over, at the last moment before they are: of a communication and whoever stops it,
 * the one that is here first wins. The lease begins anew, so that nobody else sends it while a slow provider thinks.
 */
export async function beginSending(
  query: Query,
  beginnings: readonly Beginning[],
): Promise<ReadonlySet<number>> {
  const holds = `c.id = begun.id and c.attempts = begun.attempts and c.dispatch_state = 'Sending' and c.is_active
         and c.send_at > now() - ${tooLate} - ${lease}`;
  const rows = await query(
    `with begun as (
       select begun.* from jsonb_to_recordset($1::jsonb) begun (id integer, attempts integer, sent_to text)
       join communications c on ${holds} and not ${isOver}
       order by c.id for update of c
     )
     update communications c set begun_at = now(), lease_until = now() + ${lease}, sent_to = begun.sent_to
     from begun where ${holds}
     returning c.id`,
    [JSON.stringify(beginnings)],
  );
  return new Set(rows.map(({ id }) => Number(id)));
}

/**
 * Drops those of these that were stopped while they were being handed over before, which failed: a stop leaves alone what
 * may have left.
 */
export async function dropStopped(query: Query, held: readonly Leased[]): Promise<Settled[]> {
  const rows = await query(
    `update communications c set
       dispatch_state = 'Dropped', dispatch_reason = 'The campaign was stopped for this contact.', lease_until = null,
       is_active = false, completed_at = now(), completing_user_id = null, modified_at = now(), version = c.version + 1
     from jsonb_to_recordset($1::jsonb) held (id integer, attempts integer)
     where c.id = held.id and c.attempts = held.attempts and c.dispatch_state = 'Sending' and c.begun_at is null
       and ${isOver}
     returning ${settledColumns}`,
    [JSON.stringify(held)],
  );
  return rows as unknown as Settled[];
}

/** How an attempt ended. */
export interface DispatchOutcome extends Leased {
  readonly state: 'Sent' | 'Failed' | 'Dropped' | 'Scheduled';
  readonly reason: string | null;
  /** Until the next attempt. */
  readonly seconds: number;
}

/** What events tell of a communication, and what became of it. */
export interface Settled {
  readonly id: number;
  readonly version: number;
  readonly contact_id: number;
  readonly campaign_contact_id: number;
  readonly state: DispatchOutcome['state'];
}

/** What of a row `c` is told of it, in a `returning`. */
export const settledColumns =
  'c.id, c.version, c.contact_id, c.campaign_contact_id, c.dispatch_state as state';

/** Notes how attempts ended, except those of communications that somebody else holds by now, or that are gone. */
export async function recordOutcomes(query: Query, outcomes: readonly DispatchOutcome[]): Promise<Settled[]> {
  const rows = await query(
    `update communications c set
       dispatch_state = outcome.state, dispatch_reason = left(outcome.reason, 500), lease_until = null,
       begun_at = case when outcome.state <> 'Scheduled' then c.begun_at end,
       is_active = outcome.state not in ('Sent', 'Dropped'),
       completed_at = case when outcome.state in ('Sent', 'Dropped') then now() end,
       completing_user_id = null,
       next_attempt_at = case
         when outcome.state = 'Scheduled' then now() + make_interval(secs => outcome.seconds) else c.next_attempt_at
       end,
       modified_at = now(), version = c.version + 1
     from jsonb_to_recordset($1::jsonb)
       outcome (id integer, attempts integer, state text, reason text, seconds float8)
     where c.id = outcome.id and c.attempts = outcome.attempts and c.dispatch_state = 'Sending'
     returning ${settledColumns}`,
    [JSON.stringify(outcomes)],
  );
  return rows as unknown as Settled[];
}
