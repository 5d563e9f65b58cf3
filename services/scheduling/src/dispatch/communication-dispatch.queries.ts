import type { SendingRules } from '@crm/delivery';
import { type DispatchTable, DueRow, dueColumns, type FinalCheck, lease } from '@crm/dispatch';
import { z } from 'zod';
import { markedAsDone } from '../communications/communication.api.ts';
import { communicationTypes } from '../communications/communication-type.api.ts';
import { isJustOptedOut } from '../opt-outs/opt-out-request.queries.ts';
import { isPaused } from '../sending-pauses/sending-pause.queries.ts';
import { numberFullReason, repeatedReason } from '../sending-rules/decide.ts';
import {
  accountSpendings,
  fullAccounts,
  fullSince,
  instantInMs,
  isCounted,
  isRepeated,
  numberFullUntil,
} from './limits.queries.ts';
import { isToBeSent, maxDelay } from './to-be-sent.queries.ts';

export const DueCommunication = DueRow.extend({
  type: z.enum(communicationTypes),
  send_from_user_id: z.int(),
  contact_id: z.int(),
  /** The user who put the contact into the campaign, and under which delegation. */
  enrolled_by_user_id: z.int().nullable(),
  delegation_id: z.int().nullable(),
  template_subject: z.string().nullable(),
  body: z.string().nullable(),
  /** When the oldest message within the daily limit was sent; null while the limit is not reached. */
  contact_full_since: instantInMs.nullable(),
  account_full_since: instantInMs.nullable(),
});

/** The data from which a communication is built, as of its lease. */
export type DueCommunication = z.output<typeof DueCommunication>;

export const communicationTable: DispatchTable = {
  name: 'communications',
  lane: 'type',
  sharedBy: 'send_from_user_id',
  state: 'dispatch_state',
  reason: 'dispatch_reason',
  waiting: 'Scheduled',
  sent: 'Sent',
  isDue: isToBeSent,
  dueImplies: 't.send_at <= now()',
  isUnordered: true,
  // A user may have marked it as done while its outcome was unknown.
  onSettle: `is_active = t.is_active and outcome.state not in ('Sent', 'Dropped'),
    completed_at = case when outcome.state in ('Sent', 'Dropped') then coalesce(t.completed_at, now()) else t.completed_at end,
    send_at = coalesce(outcome.until, t.send_at), modified_at = now(), version = t.version + 1`,
};

export const dueCommunicationSelect = (rules: SendingRules) => `
  select ${dueColumns('send_at')}, type, leased.contact_id, send_from_user_id, template_subject,
    enrolments.user_id as enrolled_by_user_id, enrolments.delegation_id,
    coalesce((select text.body from template_texts text where text.digest = leased.body_digest), body) as body,
    case when not ${isCounted('leased')} then ${fullSince('contact_id', 'leased', rules.maxPerContact)} end as contact_full_since,
    case when not ${isCounted('leased')} then account_full_since end as account_full_since
  from leased join ${fullAccounts(rules)} using (send_from_user_id, type)
  left join enrolments using (campaign_contact_id)
  order by next_attempt_at, leased.id`;

/** A reply stops what was requested before it. */
const wantedSince = 'coalesce(t.reopened_at, t.created_at)';

const limitReached = 'The limit for 24 hours has been reached.';

/** The reason of a moved message. */
export const waitsUntil = (until: string, because: string) => `It waits until ${until}, because ${because}.`;

const optOutChanged = 'Whether the contact may be sent messages has just changed.';

/** The number of the contact, which is texted or which the sender is asked to call. */
const number = 'coalesce(wanted.about, wanted.sent_to)';

/** Why a message is not sent although the limits allow it. */
const stops: FinalCheck['obstacles'] = [
  { when: 'not t.is_active', state: 'Dropped', reason: markedAsDone },
  { when: isPaused, state: 'Waiting', reason: 'Sending is paused.' },
  {
    when: `exists (
        select from enrolment_ends e
        where (e.what, e.id)
          in (('campaign contact', t.campaign_contact_id), ('campaign', t.campaign_id), ('contact', t.contact_id))
      )`,
    state: 'Dropped',
    reason: 'The campaign was stopped for this contact.',
  },
  {
    when: `t.type = 'Text Contact' and t.is_stopped_on_text_reply and (
        exists (select from replies r where r.number = wanted.sent_to and r.replied_at >= ${wantedSince})
        or exists (
          select from contact_replies r where r.contact_id = t.contact_id and r.replied_at >= ${wantedSince}
        )
      )`,
    state: 'Dropped',
    reason: 'The contact replied to a text.',
  },
  {
    // What the text asks for is determined first. It can only prevent a call, not change it.
    when: `t.type <> 'Email Contact' and exists (
      select from inbound_texts x where x.from_number = ${number} and x.settled_at is null
        and (t.type = 'Text Contact' or x.meaning in ('stop', 'pause'))
    )`,
    state: 'Waiting',
    reason: 'A text from the contact has just come in.',
  },
  {
    when: `t.type <> 'Email Contact' and exists (
      select from text_pauses p where p.number = ${number} and p.ended_at is null
    )`,
    state: 'Waiting',
    reason: 'The contact asked to be left alone. Decide whether texts continue.',
    // Until an agent has decided, which takes longer than anybody waits for the text.
    seconds: 60,
  },
  {
    // One second more, because the other service was asked before the statement from which the age counts.
    when: `exists (
        select from opt_out_changes o
        where o.contact_id = t.contact_id and o.noted_at > now() - make_interval(secs => wanted.facts_age + 1)
      )`,
    state: 'Waiting',
    reason: optOutChanged,
  },
  { when: `t.type <> 'Call Contact' and ${isJustOptedOut}`, state: 'Waiting', reason: optOutChanged },
  {
    when: `t.send_at <= now() - ${maxDelay} - ${lease}`,
    state: 'Waiting',
    reason: 'It is moved to another day.',
  },
];

export const communicationCheck = (rules: SendingRules): FinalCheck => ({
  limits: ["'contact ' || t.contact_id", "'account ' || t.send_from_user_id", "'number ' || t.wanted_to"],
  facts: accountSpendings(rules),
  // Joined to `wanted` and not to `t`: PostgreSQL would otherwise expect one row of `t`, and scan all wanted rows for each.
  joins: 'join spendings on spendings.id = wanted.id',
  until: numberFullUntil(rules),
  obstacles: [
    ...stops,
    { when: isRepeated, state: 'Failed', reason: repeatedReason },
    { when: 'spendings.is_full', state: 'Waiting', reason: limitReached },
    {
      when: 'spendings.is_number_full',
      state: 'Waiting',
      reason: limitReached,
      // The number is known only now, after the hours of the contact were checked; they are checked again at that moment.
      movedBecause: (until) => waitsUntil(until, numberFullReason(rules)),
    },
  ],
});

export const Settled = z.object({
  id: z.int(),
  version: z.int(),
  contact_id: z.int(),
  campaign_contact_id: z.int(),
  state: z.enum(['Sent', 'Unknown', 'Failed', 'Dropped', 'Scheduled']),
  is_moved: z.boolean().optional(),
});

/** The data of a communication in domain events, and its state. */
export type Settled = z.output<typeof Settled>;

/** The columns of `Settled` for a row of communications, for `returning`. */
export const settledColumnsOf = (row: string): string =>
  ['id', 'version', 'contact_id', 'campaign_contact_id', 'dispatch_state as state']
    .map((column) => `${row}.${column}`)
    .join(', ');
