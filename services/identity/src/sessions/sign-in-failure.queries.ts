import { type Query, queryRows } from '@crm/data';
import { z } from 'zod';

const Level = z.object({ subject_hash: z.string(), level: z.number(), quiet_seconds: z.number() });

/**
 * The failures of subjects, locked until the transaction ends, so that guesses made at the same time are all counted.
 */
export async function lockFailures(query: Query, subjectHashes: readonly string[]) {
  const rows = await queryRows(
    query,
    Level,
    // In one order, so that two attempts never deadlock. Not now(), which is when the transaction began to wait.
    `insert into sign_in_failures as f (subject_hash, level, last_failed_at)
     select hash, 0, clock_timestamp() from unnest($1::text[]) hash order by hash
     on conflict (subject_hash) do update set level = f.level
     returning subject_hash, level,
       greatest(0, extract(epoch from clock_timestamp() - last_failed_at))::float8 as quiet_seconds`,
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
    'update sign_in_failures set level = $2, last_failed_at = clock_timestamp() where subject_hash = $1',
    [subjectHash, level],
  );
}

export async function forgetFailures(query: Query, subjectHash: string): Promise<void> {
  await query('delete from sign_in_failures where subject_hash = $1', [subjectHash]);
}

export async function forgetOldFailures(query: Query): Promise<void> {
  await query("delete from sign_in_failures where last_failed_at < now() - interval '1 day'", []);
}
