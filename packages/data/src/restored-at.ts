/** When the data of a service was last restored to an earlier moment, for its migrations. */
export const restorationTable = `
create table restorations (
  is_only boolean primary key default true check (is_only),
  restored_at timestamptz not null
);`;

/** Stores that the data was restored to an earlier moment. */
export const noteRestoration = `insert into restorations (restored_at) values (now())
  on conflict (is_only) do update set restored_at = excluded.restored_at`;

/** SQL for the time of the last restoration; null if there was none. */
export const restoredAt = '(select restored_at from restorations)';

/** SQL for whether a time was before the last restoration, in which case what was due then may have been sent. */
export const isBeforeRestoration = (time: string): string => `coalesce(${time} <= ${restoredAt}, false)`;

/** Why a message that was due before the last restoration is not sent. */
export const withheldReason = 'It was due before the system was restored, and may have been sent.';
