import type { Query } from '@crm/data';

/** Records that texts to a number are paused since a time, unless the pause has ended since then. */
export async function noteTextPause(query: Query, number: string, at: string): Promise<void> {
  await query(
    `insert into text_pauses (number, paused_at) values ($1, $2::timestamptz)
     on conflict (number) do update set paused_at = excluded.paused_at, ended_at = null
     where text_pauses.ended_at < excluded.paused_at`,
    [number, at],
  );
}

/** Records that texts to a number are no longer paused, even if an earlier pause becomes known only later. */
export async function endTextPause(query: Query, number: string, at: string): Promise<void> {
  await query(
    `insert into text_pauses (number, paused_at, ended_at) values ($1, $2::timestamptz, $2::timestamptz)
     on conflict (number) do update set ended_at = excluded.ended_at
     where text_pauses.paused_at <= excluded.ended_at
       and coalesce(text_pauses.ended_at, '-infinity') < excluded.ended_at`,
    [number, at],
  );
}
