import { Cause } from '@crm/contract';
import { dueRows, hasRows, type Query, queryRows, storedInstant } from '@crm/data';
import { type TextMeaning, textMeanings, toE164 } from '@crm/delivery';
import { causeText } from '@crm/service';
import { z } from 'zod';
import { wordsOf } from '../words-of-text.ts';

export interface Incoming {
  readonly id: string;
  readonly from: string;
  readonly text: string;
  readonly mediaUrls?: readonly string[];
  readonly meaning: TextMeaning;
  /** Whether the provider has already replied. */
  readonly isAnswered: boolean;
  readonly at: Date;
  /** Undefined if that has not been decided yet. */
  readonly isClaim: boolean | undefined;
}

/** What fits into a text column: no null characters, no unpaired surrogates, up to the limit. */
const storable = (text: string, limit = 1600) =>
  [...text.replaceAll('\u0000', '').toWellFormed()].slice(0, limit).join('');

/**
 * Stores a text that a request contained. Returns false if the provider has sent it before. A text whose sender is not a phone
 * number has no further effect: it belongs to no contact, and cannot be replied to.
 */
export function storeText(query: Query, text: Incoming, requestId: string): Promise<boolean> {
  const isOfNumber = toE164(text.from) !== undefined;
  return hasRows(
    query,
    `insert into inbound_texts
       (id, from_number, body, meaning, is_answered, received_at, is_claim, cause, settled_at, media_urls)
     values ($1, $2, $3, $4, $5, $6::timestamptz, $7, $8::jsonb, case when $9::boolean then now() end, $10::text[])
     on conflict do nothing returning id`,
    [
      text.id,
      storable(text.from, 20),
      storable(text.text),
      text.meaning,
      text.isAnswered,
      text.at.toISOString(),
      isOfNumber ? (text.isClaim ?? null) : false,
      causeText({ requestId }),
      !isOfNumber,
      (text.mediaUrls ?? []).map((url) => storable(url)),
    ],
  );
}

/**
 * Stores the provider's meaning of a text that was stored by its words alone, because it was fetched before its callback arrived.
 * The consequences of that meaning then follow; those that have already happened are recognized.
 */
export async function storeMeaning(query: Query, { id, from, meaning, isClaim }: Incoming): Promise<void> {
  if (toE164(from) === undefined) return;
  await query(
    `update inbound_texts set meaning = $2::text, is_answered = true, is_claim = coalesce(is_claim, $3),
       settled_at = case when meaning = $2::text then settled_at end,
       next_attempt_at = case when meaning = $2::text then next_attempt_at else now() end
     where id = $1 and not is_answered`,
    [id, meaning, isClaim ?? null],
  );
}

const Text = z.object({
  id: z.string(),
  from_number: z.string(),
  body: z.string(),
  received_at: storedInstant,
});
const shown = 'id, from_number, body, received_at';

const UndecidedText = Text.extend({ cause: Cause.nullable() });

/** Texts that may or may not claim a lead, oldest first. */
export function undecidedTexts(query: Query, skip: number) {
  return queryRows(
    query,
    UndecidedText,
    `select ${shown}, cause from inbound_texts where is_claim is null
     order by received_at, id limit 100 offset $1::int`,
    [skip],
  );
}

/**
 * Stores whether a text claims a lead. A claim settles it, unless the text also ends an opt-out. Returns whether this was
 * undecided before.
 */
export function decideText(query: Query, id: string, isClaim: boolean): Promise<boolean> {
  return hasRows(
    query,
    `update inbound_texts set is_claim = $2::boolean, next_attempt_at = now(),
       settled_at = case when $2::boolean and meaning <> 'start' then now() end
     where id = $1 and is_claim is null returning id`,
    [id, isClaim],
  );
}

const UnmatchedText = Text.extend({ meaning: z.enum(textMeanings) });

/** Texts from numbers that belong to no contact, latest first. */
export function unmatchedTexts(query: Query, limit: number, before: string | undefined) {
  return queryRows(
    query,
    UnmatchedText,
    `select id, from_number, ${wordsOf('inbound_texts', 1600)} as body, received_at, meaning from inbound_texts
     where settled_at is not null and contact_id is null and not is_claim and received_at < coalesce($2::timestamptz, 'infinity')
     order by received_at desc, id desc limit $1`,
    [limit, before ?? null],
  );
}

const LeasedText = UnmatchedText.extend({
  is_answered: z.boolean(),
  is_claim: z.boolean(),
  description: z.string(),
  attempts: z.int(),
  cause: Cause.nullable(),
});

/** A text that is being settled. */
export type LeasedText = z.output<typeof LeasedText>;

/** SQL of the first text that waits to be settled, with its due time. */
export const waitingTexts = `
  (select next_attempt_at as due_at from inbound_texts where settled_at is null and is_claim is not null
   order by next_attempt_at limit 1)`;

/** Leases texts that are to be settled, opt-outs first. */
export function leaseTexts(query: Query, limit: number): Promise<LeasedText[]> {
  return queryRows(
    query,
    LeasedText,
    `with due as (${dueRows(
      'next_attempt_at',
      (isDue) => `select id from inbound_texts
        where settled_at is null and is_claim is not null and ${isDue}
        order by meaning not in ('stop', 'pause'), next_attempt_at limit $1 for update skip locked`,
    )})
     update inbound_texts t set attempts = attempts + 1, next_attempt_at = now() + interval '30 seconds'
     from due where t.id = due.id
     returning t.id, from_number, body, ${wordsOf('t', 2000)} as description, received_at, meaning, is_answered, is_claim, attempts,
       cause`,
    [limit],
  );
}

/**
 * Stores that all consequences of a text have happened. Returns false if this was already stored, or if the text now has another
 * meaning.
 */
export function markSettled(
  query: Query,
  { id, meaning }: LeasedText,
  contactId: number | null,
): Promise<boolean> {
  return hasRows(
    query,
    `update inbound_texts set settled_at = now(), contact_id = $2::int, problem = null
     where id = $1 and settled_at is null and meaning = $3 returning id`,
    [id, contactId, meaning],
  );
}

export async function postponeText(
  query: Query,
  { id, attempts }: LeasedText,
  seconds: number,
  reason: string,
): Promise<void> {
  await query(
    `update inbound_texts set next_attempt_at = now() + make_interval(secs => $3::float8), problem = left($4, 500)
     where id = $1 and attempts = $2 and settled_at is null`,
    [id, attempts, seconds, reason],
  );
}

/** How long texts are kept, and recognized when they arrive again. */
export const keptDays = 90;

/**
 * Deletes texts long after the provider lists them, whoever sent them, except those that are not settled yet, and requests for a
 * pause that somebody has to decide.
 */
export async function forgetOldTexts(query: Query): Promise<void> {
  await query(
    `delete from inbound_texts where id in (
       select id from inbound_texts
       where received_at < now() - interval '${keptDays} days' and settled_at is not null
         and not exists (select from text_pauses p where p.number = from_number and p.ended_at is null)
       order by received_at limit 1000
     )`,
    [],
  );
}
