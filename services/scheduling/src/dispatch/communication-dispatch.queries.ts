import { type Query, queryRows } from '@crm/data';
import { type Leased, lease } from '@crm/dispatch';
import { z } from 'zod';
import { communicationTypes } from '../communications/communication-type.api.ts';

/** A message that is later than this is not sent at the wrong hour, but moved to another day. */
export const tooLate = "interval '1 hour'";

const SenderDue = z.object({ type: z.enum(communicationTypes), send_from_user_id: z.int() });

/** A sender who has communications of a type to be sent now. */
export type SenderDue = z.output<typeof SenderDue>;

/** How many communications of a type may be leased for a sender. */
export interface Share extends SenderDue {
  readonly max: number;
}

const isDue = (table: string) =>
  `${table}.dispatch_state = 'Scheduled' and ${table}.next_attempt_at <= now()
     and ${table}.send_at > now() - ${tooLate}`;

/** The senders who have communications to be sent now, by type. */
export async function sendersDue(query: Query): Promise<SenderDue[]> {
  return queryRows(
    query,
    SenderDue,
    `select distinct c.type, c.send_from_user_id from communications c
     where ${isDue('c')} and c.send_at <= now() order by c.send_from_user_id`,
    [],
  );
}

const DueCommunication = SenderDue.extend({
  id: z.int(),
  attempts: z.int(),
  /** By which a provider recognises the communication when it is sent again. */
  key: z.string(),
  seconds_late: z.number(),
  contact_id: z.int(),
  template_subject: z.string().nullable(),
  body: z.string().nullable(),
});

/** What a communication is built from, as it was when it was leased. */
export type DueCommunication = z.output<typeof DueCommunication>;

/** Leases the communications of each share that are due, the longest due first. Until its lease ends, nobody else gets one. */
export async function leaseDue(query: Query, shares: readonly Share[]): Promise<DueCommunication[]> {
  return queryRows(
    query,
    DueCommunication,
    `with due as (
       select picked.id
       from jsonb_to_recordset($1::jsonb) share (type text, send_from_user_id integer, max integer)
       cross join lateral (
         select c.id from communications c
         where c.type = share.type and c.send_from_user_id = share.send_from_user_id and ${isDue('c')}
         order by c.next_attempt_at, c.id
         limit share.max
         for update skip locked
       ) picked
     )
     update communications c set
       dispatch_state = 'Sending', lease_until = now() + ${lease}, attempts = attempts + 1, begun_at = null
     -- An array, because a join would be estimated so large that the whole table is read.
     where c.id = any(array(select id from due))
     returning c.id, c.attempts, c.type, c.key, c.contact_id, c.send_from_user_id, c.template_subject, c.body,
       extract(epoch from now() - c.send_at)::float8 as seconds_late`,
    [JSON.stringify(shares)],
  );
}

export interface Beginning extends Leased {
  /** The address or number that it is sent to. */
  readonly sent_to: string;
}

/** Whether the contact, the campaign, or the contact in the campaign has ended. */
const hasEnded = `exists (
  select from enrolment_ends e
  where (e.what, e.id) in (('campaign contact', c.campaign_contact_id), ('campaign', c.campaign_id), ('contact', c.contact_id))
)`;

/**
 * The final check: returns the ids of those that may be sent. Between this and somebody who stops the communication,
 * whoever commits first wins. The lease starts again, so that nobody else sends it while a provider is slow.
 */
export async function beginSending(
  query: Query,
  beginnings: readonly Beginning[],
): Promise<ReadonlySet<number>> {
  const isLeased = `c.id = begun.id and c.attempts = begun.attempts and c.dispatch_state = 'Sending' and c.is_active
         and c.send_at > now() - ${tooLate} - ${lease}`;
  const rows = await queryRows(
    query,
    z.object({ id: z.int() }),
    `with begun as (
       select begun.* from jsonb_to_recordset($1::jsonb) begun (id integer, attempts integer, sent_to text)
       join communications c on ${isLeased} and not ${hasEnded}
       order by c.id for update of c
     )
     update communications c set begun_at = now(), lease_until = now() + ${lease}, sent_to = begun.sent_to
     from begun where ${isLeased}
     returning c.id`,
    [JSON.stringify(beginnings)],
  );
  return new Set(rows.map(({ id }) => id));
}

const dispatchOutcomes = ['Sent', 'Failed', 'Dropped', 'Scheduled'] as const;

/** The outcome of an attempt. */
export interface DispatchOutcome extends Leased {
  readonly state: (typeof dispatchOutcomes)[number];
  readonly reason: string | null;
  /** Until the next attempt. */
  readonly seconds: number;
}

export const Settled = z.object({
  id: z.int(),
  version: z.int(),
  contact_id: z.int(),
  campaign_contact_id: z.int(),
  state: z.enum(dispatchOutcomes),
});

/** What domain events contain of a communication, and its state. */
export type Settled = z.output<typeof Settled>;

/** The columns of `Settled` of a row `c`, for a `returning`. */
export const settledColumns =
  'c.id, c.version, c.contact_id, c.campaign_contact_id, c.dispatch_state as state';

/**
 * Drops the leased communications whose campaign was stopped while an earlier attempt was being sent, and failed: a
 * stop does not remove what may have been sent.
 */
export async function dropStopped(query: Query, leased: readonly Leased[]): Promise<Settled[]> {
  return queryRows(
    query,
    Settled,
    `update communications c set
       dispatch_state = 'Dropped', dispatch_reason = 'The campaign was stopped for this contact.', lease_until = null,
       is_active = false, completed_at = now(), completing_user_id = null, modified_at = now(), version = c.version + 1
     from jsonb_to_recordset($1::jsonb) leased (id integer, attempts integer)
     where c.id = leased.id and c.attempts = leased.attempts and c.dispatch_state = 'Sending' and c.begun_at is null
       and ${hasEnded}
     returning ${settledColumns}`,
    [JSON.stringify(leased)],
  );
}

/** Stores outcomes, except those of communications that somebody else has leased since, or that were removed. */
export async function recordOutcomes(query: Query, outcomes: readonly DispatchOutcome[]): Promise<Settled[]> {
  return queryRows(
    query,
    Settled,
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
}
