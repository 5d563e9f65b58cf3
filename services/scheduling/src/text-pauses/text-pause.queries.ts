import { type Query, queryRows } from '@crm/data';
import { z } from 'zod';

/** Pauses the texts to a number, unless that was decided after the text came in. */
export async function pauseTexts(query: Query, number: string, at: string): Promise<void> {
  await query(
    `insert into text_pauses (number, paused_at) values ($1, $2::timestamptz)
     on conflict (number) do update set paused_at = excluded.paused_at, ended_at = null
     where text_pauses.ended_at < excluded.paused_at`,
    [number, at],
  );
}

/** Ends the pause of a number, and returns whether there was one. */
export async function endPause(query: Query, number: string, at: string): Promise<boolean> {
  const rows = await query(
    `update text_pauses set ended_at = $2::timestamptz
     where number = $1 and ended_at is null and paused_at <= $2::timestamptz returning number`,
    [number, at],
  );
  return rows.length > 0;
}

const PausedNumber = z.object({
  number: z.string(),
  paused_at: z.coerce.date().transform((date) => date.toISOString()),
  /** What was sent; null if it is not stored any more. */
  words: z.string().nullable(),
});

/** A number whose texts wait for a decision, and the words that have paused them. */
export type PausedNumber = z.output<typeof PausedNumber>;

/** Some numbers whose texts are paused, from the one after another on, in their order. */
export function pausedAfter(query: Query, number: string, limit: number): Promise<PausedNumber[]> {
  return queryRows(
    query,
    PausedNumber,
    `select number, paused_at, (
       select body from inbound_texts x
       where x.from_number = number and x.meaning = 'pause' and x.received_at >= paused_at
       order by x.received_at limit 1
     ) as words
     from text_pauses where ended_at is null and number > $1 order by number limit $2`,
    [number, limit],
  );
}
