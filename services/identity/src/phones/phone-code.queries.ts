import { type Query, queryFirst, queryRows } from '@crm/data';
import { z } from 'zod';

const Code = z.object({
  id: z.int(),
  phone: z.string(),
  key: z.string(),
  failed_attempts: z.int(),
  age_seconds: z.number(),
});

const newest = 'select id from phone_codes where user_id = $1 order by id desc limit 1';
// now() is the time at which the transaction began, before it waited for the lock on the user.
const age = 'extract(epoch from clock_timestamp() - created_at)::float8';

const CodeAge = z.object({ age_seconds: z.number() });

/**
 * Makes requests for codes to one number wait for each other, whoever sends them, so that each counts the codes of
 * those before it.
 */
export async function lockNumber(query: Query, phone: string): Promise<void> {
  await query("select pg_advisory_xact_lock(hashtext('codes to a number'), hashtext($1))", [phone]);
}

/** The ages in seconds of the codes of the last day that were for a user or sent to a number. */
export async function codeAges(query: Query, userId: number, phone: string): Promise<number[]> {
  const rows = await queryRows(
    query,
    CodeAge,
    `select ${age} as age_seconds from phone_codes
     where (user_id = $1 or phone = $2) and created_at > clock_timestamp() - interval '1 day'`,
    [userId, phone],
  );
  return rows.map(({ age_seconds }) => age_seconds);
}

/** Adds a code, which makes the user's earlier ones invalid. */
export async function addCode(query: Query, userId: number, phone: string): Promise<void> {
  await query('insert into phone_codes (user_id, phone, created_at) values ($1, $2, clock_timestamp())', [
    userId,
    phone,
  ]);
}

/** The newest code of a user, the only one that can be valid. It may be too old. */
export function newestCode(query: Query, userId: number) {
  return queryFirst(
    query,
    Code,
    `select id, phone, key, failed_attempts, ${age} as age_seconds from phone_codes where id = (${newest})`,
    [userId],
  );
}

export async function countFailedAttempt(query: Query, id: number): Promise<void> {
  await query('update phone_codes set failed_attempts = failed_attempts + 1 where id = $1', [id]);
}

const UnsentCode = Code.pick({ id: true, phone: true, key: true });

/** The newest code of a user if it has not been sent. It is returned once, and therefore sent at most once. */
export function takeUnsent(query: Query, userId: number) {
  return queryFirst(
    query,
    UnsentCode,
    `update phone_codes set sent_at = clock_timestamp() where id = (${newest}) and sent_at is null
     returning id, phone, key`,
    [userId],
  );
}

interface Failure {
  /** Why the code may not have arrived, as shown to the user. */
  readonly problem: string;
  /** The reason that the carrier gave. It may contain the number, so it must not be logged. */
  readonly reason: string;
}

export async function storeFailure(query: Query, id: number, { problem, reason }: Failure): Promise<void> {
  await query('update phone_codes set problem = $2, reason = $3 where id = $1', [id, problem, reason]);
}

/** Deletes codes that are too old to count for a limit. */
export async function forgetOldCodes(query: Query): Promise<void> {
  await query("delete from phone_codes where created_at < now() - interval '1 day'", []);
}
