import type { Query } from '@crm/data';

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
