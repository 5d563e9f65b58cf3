import { hashOfToken } from '@crm/auth';
import { type Query, queryFirst } from '@crm/data';
import { z } from 'zod';
import { noPassword } from '../users/password.ts';

interface Allowed {
  readonly userId: number;
  readonly token: string;
  readonly minutes: number;
}

/** Lets the holder of the token choose a new password, once and within `minutes`. */
export async function allowReset(query: Query, { userId, token, minutes }: Allowed): Promise<void> {
  await query(
    `insert into password_resets (user_id, token_hash, expires_at)
     values ($1, $2, now() + $3 * interval '1 minute')`,
    [userId, hashOfToken(token), minutes],
  );
}

const Resetting = z.object({
  user_id: z.int(),
  email: z.string(),
  /** True if the user was invited and has no password yet. */
  is_new: z.boolean(),
});

/** The user who chooses a password with a link. */
export type Resetting = Readonly<z.output<typeof Resetting>>;

/** The user who can choose a new password with a token; undefined if the token is unknown, used or expired. */
export function userOfReset(query: Query, token: string): Promise<Resetting | undefined> {
  return queryFirst(
    query,
    Resetting,
    `select r.user_id, u.email, u.password_hash = $2 as is_new from password_resets r join users u on u.id = r.user_id
     where r.token_hash = $1 and r.expires_at > now() and u.disabled_at is null`,
    [hashOfToken(token), noPassword],
  );
}

/** Invalidates the links of a user: after a new password none is needed. */
export async function forgetResets(query: Query, userId: number): Promise<void> {
  await query('delete from password_resets where user_id = $1', [userId]);
}

export async function forgetOldResets(query: Query): Promise<void> {
  await query('delete from password_resets where expires_at < now()', []);
}
