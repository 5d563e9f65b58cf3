import { hasRows, type Query, queryRow, queryRows, storedInstant } from '@crm/data';
import { z } from 'zod';
import { isOpen } from '../rollout/open-offer.ts';

const StoredText = z.object({
  id: z.string(),
  from_number: z.string(),
  body: z.string(),
  meaning: z.enum(['claim', 'stop', 'start', 'other']),
  lead_id: z.int().nullable(),
  user_id: z.int().nullable(),
  received_at: storedInstant,
});

/** A text as it was stored when it first came in. */
export type StoredText = z.output<typeof StoredText>;

/** A SQL condition: the alert was sent as a text, whatever its kind. Older alerts have no digest. */
const isTexted = "(lead_alerts.sent_digest is not null or lead_alerts.kind = 'Text')";

/** The earliest time at which an alert may have been texted. `begun_at` is the time of the last attempt. */
const textedAt = 'case when lead_alerts.attempts > 1 then lead_alerts.due_at else lead_alerts.begun_at end';

/**
 * A SQL condition: a text that came in at `$2` may reply to the alert, because the alert was texted at most 14 days
 * before. The time of the text counts, because its sender may have been texted about further leads before it is
 * decided. Allows for clocks that differ by some seconds.
 */
const mayReply = `${isTexted} and ${textedAt}
  between $2::timestamptz - interval '14 days' and $2::timestamptz + interval '5 seconds'`;

const TextedOffer = z.object({
  lead_id: z.int(),
  user_id: z.int(),
  /** True if the lead can still be claimed. */
  isOpen: z.boolean(),
});

/** A lead that a number was texted about, and the member to whom it was offered. */
export type TextedOffer = z.output<typeof TextedOffer>;

interface Reply {
  readonly from_number: string;
  readonly received_at: string;
}

/** The leads that a number was texted about before it sent a text, the latest first. */
export function textedOffers(query: Query, { from_number, received_at }: Reply): Promise<TextedOffer[]> {
  return queryRows(
    query,
    TextedOffer,
    `select lead_offers.lead_id, lead_offers.user_id,
       leads.claimed_by_user_id is null and ${isOpen('lead_offers')} as "isOpen"
     from lead_alerts
     join lead_offers on lead_offers.id = lead_alerts.offer_id
     join leads on leads.id = lead_offers.lead_id
     where lead_alerts.sent_to = $1::text and ${mayReply}
     order by lead_alerts.due_at desc, lead_alerts.id desc
     limit 100`,
    [from_number, received_at],
  );
}

/** Returns true if an alert was texted to a number before it sent a text, so that the text may claim a lead. */
export function wasAlerted(query: Query, { from_number, received_at }: Reply): Promise<boolean> {
  return hasRows(
    query,
    `select from lead_alerts where sent_to = $1::text and ${isTexted}
       and ${textedAt} <= $2::timestamptz + interval '5 seconds' limit 1`,
    [from_number, received_at],
  );
}

/**
 * Stores a text that claims a lead, unless it was stored before, and returns the version stored first. Concurrent calls
 * for one text wait for each other.
 */
export async function storeClaim(query: Query, text: Omit<StoredText, 'meaning'>): Promise<StoredText> {
  const { id, from_number, body, lead_id, user_id, received_at } = text;
  await query(
    `insert into inbound_texts (id, from_number, body, meaning, lead_id, user_id, received_at)
     values ($1, $2, $3, 'claim', $4, $5, $6) on conflict (id) do nothing`,
    [id, from_number, body, lead_id, user_id, received_at],
  );
  return queryRow(query, StoredText, 'select * from inbound_texts where id = $1', [id]);
}

/** Texts that have not been forwarded yet, STOP and START first: no other text may delay them. */
export function waitingTexts(query: Query): Promise<StoredText[]> {
  return queryRows(
    query,
    StoredText,
    `select * from inbound_texts where passed_on_at is null and meaning <> 'claim'
     order by meaning = 'other', received_at limit 100`,
    [],
  );
}

export async function markForwarded(query: Query, id: string): Promise<void> {
  await query('update inbound_texts set passed_on_at = now() where id = $1', [id]);
}

/** Deletes texts long after the provider has stopped repeating their callbacks, except those that have not been forwarded. */
export async function forgetOldTexts(query: Query): Promise<void> {
  await query(
    `delete from inbound_texts where id in (
       select id from inbound_texts
       where received_at < now() - interval '90 days' and (passed_on_at is not null or meaning = 'claim')
       order by received_at limit 1000
     )`,
    [],
  );
}
