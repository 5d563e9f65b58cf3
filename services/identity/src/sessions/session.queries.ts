import { hashOfToken } from '@crm/auth';
import { type Query, queryFirst } from '@crm/data';
import { z } from 'zod';
import { nameOf } from '../users/user.queries.ts';

/** Covers a working day; then the user must sign in again. */
const maxAge = '12 hours';
export const maxIdle = '2 hours';

const SignedIn = z.object({
  id: z.int(),
  email: z.string(),
  /** The name, or the e-mail address of a user without one. */
  name: z.string(),
  timezone: z.string(),
  is_broker: z.boolean(),
});
export type SignedInUser = Readonly<z.output<typeof SignedIn>>;

/** A hash that changes with the password, which ends the sessions opened before. */
const passwordPrint = (user: string) => `encode(sha256(convert_to(${user}.password_hash, 'UTF8')), 'hex')`;

/** Opens a session, unless the user is disabled. Until the transaction ends the account cannot be disabled. */
export async function openSession(
  query: Query,
  secret: string,
  { userId, deviceId }: { readonly userId: number; readonly deviceId: number },
): Promise<void> {
  await query(
    `insert into sessions (secret_hash, user_id, device_id, password_print, created_at, last_seen_at, expires_at)
     select $1, u.id, $3, ${passwordPrint('u')}, now(), now(), now() + interval '${maxAge}'
     from users u where u.id = $2 and u.disabled_at is null for share`,
    [hashOfToken(secret), userId, deviceId],
  );
}

/**
 * Restarts the idle time of a session and returns its user; undefined if the session has ended, was idle for too long,
 * is older than the password, or belongs to a disabled user. The database's clock decides.
 */
export function continueSession(query: Query, secret: string): Promise<SignedInUser | undefined> {
  return queryFirst(
    query,
    SignedIn,
    `update sessions s set last_seen_at = now() from users u
     where s.secret_hash = $1 and u.id = s.user_id
       and s.expires_at > now() and s.last_seen_at > now() - interval '${maxIdle}'
       and u.disabled_at is null and s.password_print = ${passwordPrint('u')}
     returning u.id, u.email, u.timezone, u.is_broker,
       ${nameOf('u')} as name`,
    [hashOfToken(secret)],
  );
}

export async function endSession(query: Query, secret: string): Promise<void> {
  await query('delete from sessions where secret_hash = $1', [hashOfToken(secret)]);
}

export async function forgetEndedSessions(query: Query): Promise<void> {
  await query(
    `delete from sessions where expires_at < now() or last_seen_at < now() - interval '${maxIdle}'`,
    [],
  );
}
