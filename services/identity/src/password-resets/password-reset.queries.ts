import { hashOfToken } from '@crm/auth';
import { type Query, queryFirst } from '@crm/data';
import { z } from 'zod';
import { noPassword } from '../users/password.ts';
import { resetTokenOf } from './reset-token.ts';

interface Allowed {
  readonly userId: number;
  /** The key of the e-mail with the link. */
  readonly mailKey: string;
  readonly secret: string;
  readonly minutes: number;
}

/** Lets the holder of the link in an e-mail choose a new password, once and within `minutes`. */
export async function allowReset(query: Query, { userId, mailKey, secret, minutes }: Allowed): Promise<void> {
  await query(
    `insert into password_resets (user_id, mail_key, token_hash, expires_at)
     values ($1, $2, $3, now() + $4 * interval '1 minute')`,
    [userId, mailKey, hashOfToken(resetTokenOf(secret, mailKey)), minutes],
  );
}

/** For e-mails that are about to be sent: their links are derived from the secret of now, which may be another one. */
export async function renewResets(query: Query, mailKeys: readonly string[], secret: string): Promise<void> {
  await query(
    `update password_resets r set token_hash = new.token_hash
     from unnest($1::uuid[], $2::text[]) as new (mail_key, token_hash)
     where r.mail_key = new.mail_key and r.token_hash <> new.token_hash`,
    [mailKeys, mailKeys.map((key) => hashOfToken(resetTokenOf(secret, key)))],
  );
}

const Resetting = z.object({
  user_id: z.int(),
  /** Null for a link of an earlier version. */
  mail_key: z.string().nullable(),
  email: z.string(),
  /** True if the user was invited and has no password yet. */
  is_new: z.boolean(),
});

/** The user who chooses a password with a link. */
export type Resetting = Readonly<z.output<typeof Resetting>>;

/**
 * The user whom a token lets choose a new password; undefined if it was used, is too old, was never made, or is derived from
 * another secret: when that is replaced, links that were sent must end.
 */
export async function userOfReset(
  query: Query,
  token: string,
  secret: string,
): Promise<Resetting | undefined> {
  const found = await queryFirst(
    query,
    Resetting,
    `select r.user_id, r.mail_key, u.email, u.password_hash = $2 as is_new
     from password_resets r join users u on u.id = r.user_id
     where r.token_hash = $1 and r.expires_at > now() and u.disabled_at is null`,
    [hashOfToken(token), noPassword],
  );
  if (!found || found.mail_key === null) return found;
  return resetTokenOf(secret, found.mail_key) === token ? found : undefined;
}

/** Invalidates the links of a user: after a new password none is needed. */
export async function forgetResets(query: Query, userId: number): Promise<void> {
  await query('delete from password_resets where user_id = $1', [userId]);
}

export async function forgetOldResets(query: Query): Promise<void> {
  await query('delete from password_resets where expires_at < now()', []);
}
