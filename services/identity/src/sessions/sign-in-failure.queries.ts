import { type Query, queryRows } from '@crm/data';
import { z } from 'zod';

const Level = z.object({ subject_hash: z.string(), level: z.number(), quiet_seconds: z.number() });

/** The failures that still count, a fraction because they are forgiven gradually, and the seconds since the last one. */
export interface Failures {
  readonly level: number;
  readonly quietSeconds: number;
}

/**
 * Makes attempts for the same subjects wait for each other until the transaction ends. Uses no rows: most attempts do
 * not fail, and refused ones must not fill the table.
 */
export async function lockSubjects(query: Query, subjectHashes: readonly string[]): Promise<void> {
  await query(
    // Sorted, so that two attempts never deadlock.
    `select pg_advisory_xact_lock(hashtext('sign in'), key)
     from (select distinct hashtext(hash) as key from unnest($1::text[]) hash order by key) keys`,
    [subjectHashes],
  );
}

/** The failures of subjects; those without any are left out. */
export async function failuresOf(
  query: Query,
  subjectHashes: readonly string[],
): Promise<ReadonlyMap<string, Failures>> {
  const rows = await queryRows(
    query,
    Level,
    // now() is the time at which the transaction began, before it waited for the lock.
    `select subject_hash, level,
       greatest(0, extract(epoch from clock_timestamp() - last_failed_at))::float8 as quiet_seconds
     from sign_in_failures where subject_hash = any($1)`,
    [subjectHashes],
  );
  return new Map(
    rows.map(({ subject_hash, level, quiet_seconds }) => [
      subject_hash,
      { level, quietSeconds: quiet_seconds },
    ]),
  );
}

export async function recordFailure(query: Query, subjectHash: string, level: number): Promise<void> {
  await query(
    `insert into sign_in_failures (subject_hash, level, last_failed_at) values ($1, $2, clock_timestamp())
     on conflict (subject_hash) do update set level = excluded.level, last_failed_at = excluded.last_failed_at`,
    [subjectHash, level],
  );
}

export async function forgetFailures(query: Query, subjectHash: string): Promise<void> {
  await query('delete from sign_in_failures where subject_hash = $1', [subjectHash]);
}

export async function forgetOldFailures(query: Query): Promise<void> {
  await query("delete from sign_in_failures where last_failed_at < now() - interval '1 day'", []);
}
