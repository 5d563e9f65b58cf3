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

/** Notes that texts to a number no longer wait, also for a pause from before that becomes known later. */
export async function endTextPause(query: Query, number: string, at: string): Promise<void> {
  await query(
    `insert into text_pauses (number, paused_at, ended_at) values ($1, $2::timestamptz, $2::timestamptz)
     on conflict (number) do update set ended_at = excluded.ended_at
     where text_pauses.paused_at <= excluded.ended_at
       and coalesce(text_pauses.ended_at, '-infinity') < excluded.ended_at`,
    [number, at],
  );
}
