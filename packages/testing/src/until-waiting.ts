import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';

type Rows = (
  sql: string,
  values?: readonly unknown[],
) => Promise<readonly Readonly<Record<string, unknown>>[]>;

/**
 * Resolves when each of these waits for a lock in its database, or only for locks that one connection holds. Fails as soon as one
 * has ended without waiting, so that a missing lock fails immediately.
 */
export async function untilWaiting(
  rows: Rows,
  begun: readonly Promise<unknown>[],
  holder: number | null = null,
): Promise<void> {
  let ended = 0;
  const end = () => {
    ended += 1;
  };
  for (const one of begun) one.then(end, end);
  const deadline = performance.now() + 60_000;
  for (;;) {
    const waiting = await rows(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
         and ($1::int is null or $1 = any(pg_blocking_pids(pid)))`,
      [holder],
    );
    expect(ended, 'that have ended without waiting for a lock').toBe(0);
    if (waiting.length >= begun.length) return;
    if (performance.now() > deadline) expect.fail(`${waiting.length} of ${begun.length} wait for a lock.`);
    await wait(5);
  }
}

/** Ends the connections to the database that wait for a lock, as when their process is killed. */
export const killWaiting = (rows: Rows) =>
  rows(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`,
  );
