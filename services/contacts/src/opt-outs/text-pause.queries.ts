import type { Query } from '@crm/data';

/** Notes that texts to a number wait from a moment on, unless that has ended since. */
export async function noteTextPause(query: Query, number: string, at: string): Promise<void> {
  await query(
    `insert into text_pauses (number, paused_at) values ($1, $2::timestamptz)
     on conflict (number) do update set paused_at = excluded.paused_at, ended_at = null
     where text_pauses.ended_at < excluded.paused_at`,
    [number, at],
  );
}

export async function endTextPause(query: Query, number: string, at: string): Promise<void> {
  await query(
    `update text_pauses set ended_at = $2::timestamptz
     where number = $1 and ended_at is null and paused_at <= $2::timestamptz`,
    [number, at],
  );
}
