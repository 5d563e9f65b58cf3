import { hasRows, type Query, queryRows, storedInstant } from '@crm/data';
import { z } from 'zod';

/** Pauses the texts to a number, unless a decision was made after the text arrived. */
export async function pauseTexts(query: Query, number: string, at: string): Promise<void> {
  await query(
    `insert into text_pauses (number, paused_at) values ($1, $2::timestamptz)
     on conflict (number) do update set paused_at = excluded.paused_at, ended_at = null
     where text_pauses.ended_at < excluded.paused_at`,
    [number, at],
  );
}

/**
 * Ends the pause of a number, and returns whether there was one. An earlier text that would pause it but becomes known later then
 * has no effect.
 */
export function endPause(query: Query, number: string, at: string): Promise<boolean> {
  return hasRows(
    query,
    `with ended as (
       update text_pauses set ended_at = $2::timestamptz
       where number = $1 and ended_at is null and paused_at <= $2::timestamptz returning number
     ), noted as (
       insert into text_pauses (number, paused_at, ended_at)
       select $1, $2::timestamptz, $2::timestamptz where not exists (select from ended)
       on conflict (number) do update set ended_at = excluded.ended_at
       where text_pauses.ended_at < excluded.ended_at
     )
     select number from ended`,
    [number, at],
  );
}

const PausedNumber = z.object({
  number: z.string(),
  paused_at: storedInstant,
  /** The words that were sent; null if they are no longer stored. */
  words: z.string().nullable(),
  /** The contacts for whom it is recorded, whose agents know the words. */
  contact_ids: z.array(z.int()),
});

/** The numbers whose texts wait for a decision, with the words that paused them. */
export function pausedAmong(
  query: Query,
  numbers: readonly string[],
): Promise<z.output<typeof PausedNumber>[]> {
  return queryRows(
    query,
    PausedNumber,
    `select number, paused_at, pausing.body as words, array(
       select contact_id from text_notices where text_id = pausing.id and contact_id is not null
       union select pausing.contact_id where pausing.contact_id is not null
     ) as contact_ids
     from text_pauses left join lateral (
       select x.id, x.body, x.contact_id from inbound_texts x
       where x.from_number = number and x.meaning = 'pause' and x.received_at >= paused_at
       order by x.received_at limit 1
     ) pausing on true
     where ended_at is null and number = any($1::text[])`,
    [numbers],
  );
}
